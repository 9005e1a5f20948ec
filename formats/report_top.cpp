// SPDX-License-Identifier: Apache-2.0
#include "losses.h"
#include "report_common.h"
#include "reports.h"
#include "stack_totals.h"
#include "text_output.h"
#include "units.h"

namespace hprof::formats {

Result<void> write_top(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  const Report report{profile, options, RowOrder::by_flat};
  TextOutput out{sink};
  for (const std::string& line : report.profile_lines()) out.format("{}\n", line);
  for (const std::string& line : report.coverage_lines()) out.format("{}\n", line);
  out.put("      flat  flat%   sum%        cum   cum%\n");
  const std::vector<std::string_view> marks = report.inline_marks();
  std::int64_t sum = 0;
  for (const NameId id : report.rows()) {
    const GraphNode& node = report.graph().nodes()[id];
    sum = wrapping_add(sum, node.flat);
    out.format("{:>10} {} {} {:>10} {}  {}{}{}\n", report.value(node.flat),
               report.percent(node.flat), report.percent(sum), report.value(node.cum),
               report.percent(node.cum), report.names().name(id), marks[id].empty() ? "" : " ",
               marks[id]);
  }
  return out.finish();
}

}  // namespace hprof::formats
