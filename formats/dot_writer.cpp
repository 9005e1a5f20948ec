// SPDX-License-Identifier: Apache-2.0
#include "dot_writer.h"

#include "losses.h"
#include "report_common.h"
#include "stack_totals.h"
#include "text_output.h"
#include "units.h"
#include "utf8_char.h"

#include <algorithm>
#include <cmath>

namespace hprof::formats {
namespace {

constexpr std::size_t kUsualNodes = 80;
constexpr double kEdgeShare = 0.001;

std::int64_t magnitude(std::int64_t value) {
  return value < 0 ? wrapping_subtract(0, value) : value;
}

// For a quoted string: "\l" and "\n" that we mean are put apart from the text.
std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char c = first_utf8_char(text);
    if (!c.valid) out += "\xef\xbf\xbd";
    else if (c.code == '"' || c.code == '\\') out.append("\\").append(text.substr(0, 1));
    else if (c.code < 0x20) out += ' ';
    else out.append(text.substr(0, c.size));
    text.remove_prefix(c.size);
  }
  return out;
}

// The colours of google/pprof: red for a large share, green for a negative one.
std::string shade(double share, bool background) {
  constexpr double kShift = 0.7;
  const double saturation = background ? 0.1 : 1.0;
  const double value = background ? 0.93 : 0.7;
  share = std::clamp(share, -1.0, 1.0);
  if (share != 0) share = std::copysign(std::pow(std::abs(share), 1 - kShift), share);
  double red = share < 0 ? value * (1 - saturation * -share) : value;
  double green = share > 0 ? value * (1 - saturation * share) : value;
  const double blue = value * (1 - saturation);
  // Around zero both would be white: grey-brown instead, as the reference has it.
  if (std::abs(share) < 0.2) {
    red = share >= 0 ? red : value * (1 - saturation * std::abs(share));
    green = share <= 0 ? green : value * (1 - saturation * std::abs(share));
  }
  const auto byte = [](double x) { return static_cast<int>(x * 255); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(red), byte(green), byte(blue));
}

WriteOptions with_limit(const WriteOptions& options) {
  WriteOptions limited = options;
  if (limited.top_count == 0) limited.top_count = kUsualNodes;
  return limited;
}

class DotWriter {
 public:
  DotWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : options_(with_limit(options)), report_(profile, options_, RowOrder::by_cum), out_(sink) {
    number_of_.assign(report_.names().size(), 0);
    for (std::size_t i = 0; i < report_.rows().size(); ++i) {
      number_of_[report_.rows()[i]] = i + 1;
      largest_flat_ = std::max(largest_flat_, flat_size(report_.rows()[i]));
    }
  }

  Result<void> write() {
    put_legend();
    for (const NameId id : report_.rows()) put_node(id);
    put_edges();
    out_.put("}\n");
    return out_.finish();
  }

 private:
  [[nodiscard]] double flat_size(NameId id) const {
    return static_cast<double>(magnitude(report_.graph().nodes()[id].flat));
  }

  [[nodiscard]] double share(std::int64_t value) const {
    const std::int64_t total = report_.graph().total();
    return total == 0 ? 0 : static_cast<double>(value) / static_cast<double>(total);
  }

  void put_legend() {
    std::vector<std::string> lines = report_.profile_lines();
    const std::vector<std::string> coverage = report_.coverage_lines();
    lines.insert(lines.end(), coverage.begin(), coverage.end());
    const std::string title = escaped(options_.title.empty() ? "unnamed" : options_.title);
    out_.format("digraph \"{}\" {{\nnode [style=filled fillcolor=\"#f8f8f8\"]\n", title);
    out_.format("subgraph cluster_L {{ \"{}\" [shape=box fontsize=16 label=\"",
                escaped(lines.front()));
    for (const std::string& line : lines) out_.format("{}\\l", escaped(line));
    out_.format("\" tooltip=\"{}\"] }}\n", title);
  }

  void put_node(NameId id) {
    const GraphNode& node = report_.graph().nodes()[id];
    const std::string name = escaped(report_.names().name(id));
    std::string label = name;
    if (node.flat != 0) {
      label += fmt::format("\\n{} ({})", report_.value(node.flat), trimmed(node.flat));
    } else {
      label += "\\n0";
    }
    if (node.cum != node.flat) {
      label += fmt::format("{}of {} ({})", node.flat != 0 ? "\\n" : " ", report_.value(node.cum),
                           trimmed(node.cum));
    }
    constexpr double kSmallest = 8;
    constexpr double kGrowth = 16;
    const double size = largest_flat_ > 0 ? flat_size(id) / largest_flat_ : 0;
    out_.format("N{0} [label=\"{1}\" id=\"node{0}\" fontsize={2} shape=box tooltip=\"{3} ({4})\" ",
                number_of_[id], label,
                static_cast<int>(kSmallest + std::ceil(kGrowth * std::sqrt(size))), name,
                report_.value(node.cum));
    out_.format("color=\"{}\" fillcolor=\"{}\"]\n", shade(share(node.cum), false),
                shade(share(node.cum), true));
  }

  [[nodiscard]] std::string trimmed(std::int64_t value) const {
    const std::string text = report_.percent(value);
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  }

  void put_edges() {
    std::vector<const GraphEdge*> shown;
    for (const GraphEdge& edge : report_.graph().edges()) {
      const bool is_kept = number_of_[edge.caller] != 0 && number_of_[edge.callee] != 0 &&
                           edge.weight != 0 && std::abs(share(edge.weight)) >= kEdgeShare;
      if (is_kept) shown.push_back(&edge);
    }
    std::ranges::sort(shown, [&](const GraphEdge* a, const GraphEdge* b) {
      const std::int64_t x = magnitude(a->weight);
      const std::int64_t y = magnitude(b->weight);
      if (x != y) return x > y;
      return std::pair{number_of_[a->caller], number_of_[a->callee]} <
             std::pair{number_of_[b->caller], number_of_[b->callee]};
    });
    for (const GraphEdge* edge : shown) put_edge(*edge);
  }

  void put_edge(const GraphEdge& edge) {
    const double part = share(edge.weight);
    const int weight = 1 + static_cast<int>(std::min(100.0, std::abs(part) * 100));
    const int width = 1 + static_cast<int>(std::min(5.0, std::abs(part) * 5));
    const std::string value = report_.value(edge.weight);
    out_.format("N{} -> N{} [label=\" {}{}\"", number_of_[edge.caller], number_of_[edge.callee],
                value, edge.inlined ? "\\n (inline)" : "");
    if (weight > 1) out_.format(" weight={}", weight);
    if (width > 1) out_.format(" penwidth={}", width);
    const std::string tip =
        fmt::format("{} -> {} ({})", escaped(report_.names().name(edge.caller)),
                    escaped(report_.names().name(edge.callee)), value);
    out_.format(" color=\"{}\" tooltip=\"{}\" labeltooltip=\"{}\"]\n", shade(part, false), tip, tip);
  }

  WriteOptions options_;
  Report report_;
  TextOutput out_;
  std::vector<std::size_t> number_of_;  ///< by name, from 1; 0: not shown
  double largest_flat_ = 0;
};

}  // namespace

Result<void> write_dot(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  return DotWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
