// SPDX-License-Identifier: Apache-2.0
#include "losses.h"
#include "report_common.h"
#include "reports.h"
#include "stack_totals.h"
#include "text_output.h"
#include "units.h"

#include <algorithm>

namespace hprof::formats {
namespace {

constexpr std::string_view kSeparator =
    "----------------------------------------------------------+-------------\n";
constexpr std::string_view kLegend =
    "      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n";

class TreeReport {
 public:
  TreeReport(const Report& report, ByteSink& sink) : report_(report), out_(sink) { sort_edges(); }

  Result<void> write() {
    for (const std::string& line : report_.profile_lines()) out_.format("{}\n", line);
    for (const std::string& line : report_.coverage_lines()) out_.format("{}\n", line);
    out_.put(kSeparator);
    out_.put(kLegend);
    for (const NameId id : report_.rows()) put_function(id);
    if (!report_.rows().empty()) out_.put(kSeparator);
    return out_.finish();
  }

 private:
  using EdgeIds = std::vector<std::uint32_t>;

  // Calls of a function stand together, heaviest first, then by name.
  void sort_edges() {
    const std::span<const GraphEdge> edges = report_.graph().edges();
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      if (edges[i].weight == 0) continue;
      in_.push_back(i);
      out_edges_.push_back(i);
    }
    const auto weight = [&](std::uint32_t i) {
      const std::int64_t w = edges[i].weight;
      return w < 0 ? wrapping_subtract(0, w) : w;
    };
    std::ranges::sort(in_, [&](std::uint32_t a, std::uint32_t b) {
      if (edges[a].callee != edges[b].callee) return edges[a].callee < edges[b].callee;
      if (weight(a) != weight(b)) return weight(a) > weight(b);
      return report_.names().name(edges[a].caller) < report_.names().name(edges[b].caller);
    });
    std::ranges::sort(out_edges_, [&](std::uint32_t a, std::uint32_t b) {
      if (edges[a].caller != edges[b].caller) return edges[a].caller < edges[b].caller;
      if (weight(a) != weight(b)) return weight(a) > weight(b);
      return report_.names().name(edges[a].callee) < report_.names().name(edges[b].callee);
    });
  }

  // The part of a list, sorted by `key_of`, whose key is `id`. clang 14 cannot read
  // std::ranges::equal_range of libstdc++ 12.
  template <typename KeyOf>
  static std::span<const std::uint32_t> equal_part(const std::vector<std::uint32_t>& list,
                                                   NameId id, KeyOf key_of) {
    const auto from = std::ranges::lower_bound(list, id, {}, key_of);
    const auto to = std::ranges::upper_bound(list, id, {}, key_of);
    return {from, to};
  }

  void put_function(NameId id) {
    const GraphNode& node = report_.graph().nodes()[id];
    const std::span<const GraphEdge> edges = report_.graph().edges();
    out_.put(kSeparator);
    const auto callers =
        equal_part(in_, id, [&](std::uint32_t edge) { return edges[edge].callee; });
    for (const std::uint32_t edge : callers) put_edge(edges[edge], edges[edge].caller, node.cum);
    sum_ = wrapping_add(sum_, node.flat);
    out_.format("{:>10} {} {} {:>10} {}                | {}\n", report_.value(node.flat),
                report_.percent(node.flat), report_.percent(sum_), report_.value(node.cum),
                report_.percent(node.cum), report_.names().name(id));
    const auto callees =
        equal_part(out_edges_, id, [&](std::uint32_t edge) { return edges[edge].caller; });
    for (const std::uint32_t edge : callees) put_edge(edges[edge], edges[edge].callee, node.cum);
  }

  void put_edge(const GraphEdge& edge, NameId other, std::int64_t cum) {
    out_.format("{:>50} {} |   {}{}\n", report_.value(edge.weight), percentage(edge.weight, cum),
                report_.names().name(other), edge.inlined ? " (inline)" : "");
  }

  const Report& report_;
  TextOutput out_;
  EdgeIds in_;
  EdgeIds out_edges_;
  std::int64_t sum_ = 0;
};

Result<void> write_in_order(const Profile& profile, ByteSink& sink, const WriteOptions& options,
                            RowOrder order) {
  HPROF_TRY(check_sample_type(profile, options));
  const Report report{profile, options, order};
  return TreeReport{report, sink}.write();
}

}  // namespace

Result<void> write_tree(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  return write_in_order(profile, sink, options, RowOrder::by_flat);
}

Result<void> write_peek(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  return write_in_order(profile, sink, options, RowOrder::by_cum);
}

}  // namespace hprof::formats
