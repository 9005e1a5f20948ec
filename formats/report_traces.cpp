// SPDX-License-Identifier: Apache-2.0
#include "call_graph.h"
#include "losses.h"
#include "report_common.h"
#include "reports.h"
#include "text_output.h"
#include "units.h"

#include <algorithm>
#include <map>

namespace hprof::formats {
namespace {

constexpr std::string_view kSeparator =
    "-----------+-------------------------------------------------------\n";

class TracesReport {
 public:
  TracesReport(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile), options_(options), names_(profile, options.short_names), out_(sink) {
    if (options.sample_type < profile.sample_types().size()) {
      unit_ = profile.string(profile.sample_types()[options.sample_type].unit);
    }
  }

  Result<void> write() {
    const std::int64_t total = report_total(profile_, options_.sample_type);
    for (const auto& line : profile_lines(profile_, options_.sample_type, total, "auto")) {
      out_.format("{}\n", line);
    }
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) put_sample(row);
    out_.put(kSeparator);
    return out_.finish();
  }

 private:
  void put_sample(std::uint32_t row) {
    if (profile_.sample_stack(row) == 0) return;
    out_.put(kSeparator);
    put_labels(profile_.sample_labels(row));
    std::string value = scaled_label(profile_.value(options_.sample_type, row), unit_);
    profile_.stack_leaf_first(profile_.sample_stack(row), stack_);
    for (const LocationId location : stack_) {
      const std::span<const NameId> frames = names_.frames(location);
      for (std::size_t i = frames.size(); i-- > 0;) {
        out_.format("{:>10}   {}{}\n", value, names_.name(frames[i]), i > 0 ? " (inline)" : "");
        value.clear();
      }
    }
  }

  // Text labels first, then numbers; each by key, several values of a key on one line.
  void put_labels(LabelSetId id) {
    std::map<std::string_view, std::string> texts;
    std::map<std::string_view, std::string> numbers;
    for (const Label& label : profile_.labels(id)) {
      std::string& values =
          (label.is_number ? numbers : texts)[profile_.string(label.key)];
      if (!values.empty()) values += ' ';
      values += label.is_number ? scaled_label(label.number, profile_.string(label.unit))
                                : std::string{profile_.string(label.text)};
    }
    for (const auto& [key, values] : texts) out_.format("{:>10}:  {}\n", key, values);
    for (const auto& [key, values] : numbers) out_.format("{:>10}:  {}\n", key, values);
  }

  const Profile& profile_;
  const WriteOptions& options_;
  FrameNames names_;
  TextOutput out_;
  std::string_view unit_;
  std::vector<LocationId> stack_;
};

}  // namespace

Result<void> write_traces(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  return TracesReport{profile, sink, options}.write();
}

}  // namespace hprof::formats
