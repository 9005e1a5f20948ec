// SPDX-License-Identifier: Apache-2.0
#include "report_common.h"
#include "reports.h"
#include "text_output.h"

#include <fmt/format.h>

#include <map>

namespace hprof::formats {
namespace {

// Go's time.Duration as text, cut to four characters as the reference prints it.
std::string duration_text(std::int64_t nanos) {
  std::string text;
  const double seconds = static_cast<double>(nanos) / 1e9;
  if (nanos == 0) return "0s";
  if (seconds < 1e-6) text = fmt::format("{}ns", nanos);
  else if (seconds < 1e-3) text = fmt::format("{}µs", static_cast<double>(nanos) / 1e3);
  else if (seconds < 1) text = fmt::format("{}ms", static_cast<double>(nanos) / 1e6);
  else {
    const std::int64_t minutes = nanos / 60'000'000'000;
    const double rest = static_cast<double>(nanos % 60'000'000'000) / 1e9;
    if (minutes >= 60) text += fmt::format("{}h", minutes / 60);
    if (minutes > 0) text += fmt::format("{}m", minutes % 60);
    text += fmt::format("{}s", rest);
  }
  return text.substr(0, 4);
}

class RawReport {
 public:
  RawReport(const Profile& profile, ByteSink& sink) : profile_(profile), out_(sink) {}

  Result<void> write() {
    put_header();
    put_samples();
    put_locations();
    put_mappings();
    return out_.finish();
  }

 private:
  std::string_view text(StringId id) const { return profile_.string(id); }

  void put_header() {
    const ProfileHeader& header = profile_.header;
    for (const StringId comment : header.comments) out_.format("Comment: {}\n", text(comment));
    if (header.doc_url != 0) out_.format("Doc: {}\n", text(header.doc_url));
    out_.format("PeriodType: {} {}\n", text(header.period_type.type),
                text(header.period_type.unit));
    out_.format("Period: {}\n", header.period);
    if (header.time_nanos != 0) {
      const std::string utc = utc_text(header.time_nanos);
      out_.format("Time: {} +0000 UTC\n", utc.substr(0, utc.rfind(' ')));
    }
    if (header.duration_nanos != 0) {
      out_.format("Duration: {}\n", duration_text(header.duration_nanos));
    }
  }

  void put_samples() {
    out_.put("Samples:\n");
    std::string types;
    for (const ValueType& type : profile_.sample_types()) {
      const bool is_default =
          profile_.header.default_sample_type != 0 && type.type == profile_.header.default_sample_type;
      types += fmt::format("{}{}/{}{}", types.empty() ? "" : " ", text(type.type), text(type.unit),
                           is_default ? "[dflt]" : "");
    }
    out_.format("{}\n", types);
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) put_sample(row);
  }

  void put_sample(std::uint32_t row) {
    for (std::size_t i = 0; i < profile_.sample_types().size(); ++i) {
      out_.format(" {:>10}", profile_.value(i, row));
    }
    out_.put(": ");
    profile_.stack_leaf_first(profile_.sample_stack(row), stack_);
    for (const LocationId id : stack_) out_.format("{} ", id);
    out_.put('\n');
    put_labels(profile_.labels(profile_.sample_labels(row)));
  }

  void put_labels(std::span<const Label> labels) {
    std::map<std::string_view, std::string> texts;
    std::map<std::string_view, std::string> numbers;
    std::map<std::string_view, bool> has_unit;
    for (const Label& label : labels) {
      if (label.is_number && label.unit != 0) has_unit[text(label.key)] = true;
    }
    for (const Label& label : labels) {
      std::string& values = (label.is_number ? numbers : texts)[text(label.key)];
      if (!values.empty()) values += ' ';
      if (!label.is_number) {
        values += text(label.text);
      } else {
        values += fmt::format("{}", label.number);
        if (has_unit[text(label.key)]) values += fmt::format(" {}", text(label.unit));
      }
    }
    put_label_line(texts);
    put_label_line(numbers);
  }

  void put_label_line(const std::map<std::string_view, std::string>& labels) {
    if (labels.empty()) return;
    out_.put("                ");
    bool first = true;
    for (const auto& [key, values] : labels) {
      out_.format("{}{}:[{}]", first ? "" : " ", key, values);
      first = false;
    }
    out_.put('\n');
  }

  void put_locations() {
    out_.put("Locations\n");
    for (LocationId id = 1; id <= profile_.location_count(); ++id) {
      const Location& location = profile_.location(id);
      std::string start = fmt::format("{:>6}: {:#x} ", id, location.address);
      if (location.mapping != 0) start += fmt::format("M={} ", location.mapping);
      if (location.is_folded) start += "[F] ";
      if (profile_.lines(id).empty()) out_.format("{}\n", start);
      for (const Line& line : profile_.lines(id)) {
        put_line(start, line);
        start = "             ";
      }
    }
  }

  void put_line(std::string_view start, const Line& line) {
    const Function& function = profile_.function(line.function);
    out_.format("{}{} {}:{}:{} s={}", start, text(function.name), text(function.filename),
                line.line, line.column, function.start_line);
    if (function.name != function.system_name) out_.format("({})", text(function.system_name));
    out_.put('\n');
  }

  void put_mappings() {
    out_.put("Mappings\n");
    for (MappingId id = 1; id <= profile_.mapping_count(); ++id) {
      const Mapping& m = profile_.mapping(id);
      out_.format("{}: {:#x}/{:#x}/{:#x} {} {} {}{}{}{}\n", id, m.start, m.limit, m.file_offset,
                  text(m.filename), text(m.build_id), m.has_functions ? "[FN]" : "",
                  m.has_filenames ? "[FL]" : "", m.has_line_numbers ? "[LN]" : "",
                  m.has_inline_frames ? "[IN]" : "");
    }
  }

  const Profile& profile_;
  TextOutput out_;
  std::vector<LocationId> stack_;
};

}  // namespace

Result<void> write_raw(const Profile& profile, ByteSink& sink, const WriteOptions&) {
  return RawReport{profile, sink}.write();
}

}  // namespace hprof::formats
