// SPDX-License-Identifier: Apache-2.0
#include "report_common.h"

#include "stack_totals.h"
#include "units.h"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <cstdlib>

namespace hprof::formats {
namespace {

std::string_view column_unit(const Profile& profile, std::size_t sample_type) {
  if (sample_type >= profile.sample_types().size()) return "count";
  return profile.string(profile.sample_types()[sample_type].unit);
}

std::int64_t magnitude(std::int64_t value) {
  return value < 0 ? wrapping_subtract(0, value) : value;
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string trim(std::string_view text) {
  return std::string{text.substr(std::min(text.find_first_not_of(' '), text.size()))};
}

std::string duration_line(const Profile& profile, std::string_view sample_unit, std::int64_t total,
                          std::string_view unit) {
  const Scaled nanos = scale(total, sample_unit, "nanoseconds");
  const std::string share =
      nanos.unit == "ns" && nanos.value != 0
          ? fmt::format("({})", percentage(static_cast<std::int64_t>(nanos.value),
                                           profile.header.duration_nanos))
          : "";
  return fmt::format("Duration: {}, Total samples = {} {}",
                     scaled_label(profile.header.duration_nanos, "nanoseconds"),
                     scaled_label(total, sample_unit, unit), share);
}

}  // namespace

std::string utc_text(std::int64_t time_nanos) {
  const time_t seconds = time_nanos / 1'000'000'000 - (time_nanos % 1'000'000'000 < 0 ? 1 : 0);
  tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "?";
  char text[64];
  const std::size_t size = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return {text, size};
}

std::vector<std::string> profile_lines(const Profile& profile, std::size_t sample_type,
                                       std::int64_t total, std::string_view unit) {
  std::vector<std::string> lines;
  if (profile.mapping_count() > 0) {
    const Mapping& main = profile.mapping(1);
    if (main.filename != 0) {
      lines.push_back(fmt::format("File: {}", base_name(profile.string(main.filename))));
    }
    if (main.build_id != 0) {
      lines.push_back(fmt::format("Build ID: {}", profile.string(main.build_id)));
    }
  }
  for (const StringId comment : profile.header.comments) {
    const std::string_view text = profile.string(comment);
    if (!text.starts_with('#')) lines.emplace_back(text);
  }
  if (sample_type < profile.sample_types().size()) {
    lines.push_back(
        fmt::format("Type: {}", profile.string(profile.sample_types()[sample_type].type)));
  }
  if (profile.header.doc_url != 0) {
    lines.push_back(fmt::format("Doc: {}", profile.string(profile.header.doc_url)));
  }
  if (profile.header.time_nanos != 0) {
    lines.push_back("Time: " + utc_text(profile.header.time_nanos));
  }
  if (profile.header.duration_nanos != 0) {
    lines.push_back(duration_line(profile, column_unit(profile, sample_type), total, unit));
  }
  return lines;
}

Report::Report(const Profile& profile, const WriteOptions& options, RowOrder order)
    : profile_(profile),
      options_(options),
      names_(profile, options.short_names),
      graph_(CallGraph::build(profile, names_, options.sample_type)),
      sample_unit_(column_unit(profile, options.sample_type)) {
  order_rows(order);
  choose_unit();
}

void Report::order_rows(RowOrder order) {
  const auto key = [&](NameId id) {
    const GraphNode& node = graph_.nodes()[id];
    const std::int64_t flat = magnitude(node.flat);
    const std::int64_t cum = magnitude(node.cum);
    return order == RowOrder::by_flat ? std::pair{flat, cum} : std::pair{cum, flat};
  };
  for (NameId id = 0; id < names_.size(); ++id) {
    if (key(id) != std::pair<std::int64_t, std::int64_t>{0, 0}) rows_.push_back(id);
  }
  row_total_ = rows_.size();
  const auto before = [&](NameId a, NameId b) {
    const auto x = key(a);
    const auto y = key(b);
    if (x.first != y.first) return x.first > y.first;
    return names_.name(a) < names_.name(b);
  };
  if (options_.top_count != 0 && options_.top_count < rows_.size()) {
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(options_.top_count);
    std::ranges::partial_sort(rows_, end, before);
    rows_.resize(options_.top_count);
  } else {
    std::ranges::sort(rows_, before);
  }
}

void Report::choose_unit() {
  std::int64_t smallest = 0;
  for (const NameId id : rows_) {
    const GraphNode& node = graph_.nodes()[id];
    const std::int64_t value = magnitude(node.flat != 0 ? node.flat : node.cum);
    if (value > 0 && (smallest == 0 || value < smallest)) smallest = value;
  }
  output_unit_ = report_unit(smallest, graph_.total(), sample_unit_);
}

std::string Report::value(std::int64_t value) const {
  return scaled_label(value, sample_unit_, output_unit_);
}

std::string Report::percent(std::int64_t value) const { return percentage(value, graph_.total()); }

std::vector<std::string> Report::profile_lines() const {
  return formats::profile_lines(profile_, options_.sample_type, graph_.total(), output_unit_);
}

std::vector<std::string> Report::coverage_lines() const {
  std::int64_t shown = 0;
  for (const NameId id : rows_) shown = wrapping_add(shown, graph_.nodes()[id].flat);
  std::vector<std::string> lines{fmt::format("Showing nodes accounting for {}, {} of {} total",
                                             value(shown), trim(percent(shown)),
                                             value(graph_.total()))};
  if (rows_.size() < row_total_) {
    lines.push_back(fmt::format("Showing top {} nodes out of {}", rows_.size(), row_total_));
  }
  return lines;
}

std::vector<std::string_view> Report::inline_marks() const {
  constexpr unsigned kInlined = 1;
  constexpr unsigned kCalled = 2;
  std::vector<unsigned> seen(names_.size());
  for (const GraphEdge& edge : graph_.edges()) {
    seen[edge.callee] |= edge.inlined ? kInlined : kCalled;
  }
  std::vector<std::string_view> marks(names_.size());
  for (NameId id = 0; id < names_.size(); ++id) {
    if ((seen[id] & kInlined) != 0) {
      marks[id] = (seen[id] & kCalled) != 0 ? "(partial-inline)" : "(inline)";
    }
  }
  return marks;
}

}  // namespace hprof::formats
