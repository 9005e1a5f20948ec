// SPDX-License-Identifier: Apache-2.0
#include "losses.h"
#include "report_common.h"
#include "table_writers.h"
#include "text_output.h"

namespace hprof::formats {
namespace {

constexpr std::size_t kUsualRows = 30;

// Text inside a table cell: what Markdown or HTML would take for markup is escaped.
void put_cell(TextOutput& out, std::string_view text) {
  for (const char c : text) {
    if (c == '<') {
      out.put("&lt;");
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out.put(' ');
    } else {
      if (std::string_view{"\\`*_[]|~"}.find(c) != std::string_view::npos) out.put('\\');
      out.put(c);
    }
  }
}

}  // namespace

Result<void> write_markdown(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  WriteOptions limited = options;
  if (limited.top_count == 0) limited.top_count = kUsualRows;
  const Report report{profile, limited, RowOrder::by_flat};
  TextOutput out{sink};
  out.put("# ");
  put_cell(out, options.title.empty() ? std::string_view{"Profile"} : options.title);
  out.put("\n\n");
  std::vector<std::string> facts = report.profile_lines();
  for (std::string& line : report.coverage_lines()) facts.push_back(std::move(line));
  for (const std::string& line : facts) {
    out.put("- ");
    put_cell(out, line);
    out.put('\n');
  }
  out.put("\n| flat | flat% | cum | cum% | function | module |\n"
          "| ---: | ---: | ---: | ---: | --- | --- |\n");
  for (const NameId id : report.rows()) {
    const GraphNode& node = report.graph().nodes()[id];
    out.format("| {} | {} | {} | {} | ", report.value(node.flat), report.percent(node.flat),
               report.value(node.cum), report.percent(node.cum));
    put_cell(out, report.names().name(id));
    out.put(" | ");
    put_cell(out, module_of(profile, report.names(), id));
    out.put(" |\n");
  }
  return out.finish();
}

}  // namespace hprof::formats
