// SPDX-License-Identifier: Apache-2.0
#include "call_graph.h"

#include "stack_totals.h"

#include <algorithm>

namespace hprof::formats {

/// Walks the stack trie depth first, counting how often each name and edge is on the current path:
/// a subtree's total is added only where the count rises from zero.
class GraphBuilder {
 public:
  GraphBuilder(const Profile& profile, const FrameNames& names, std::size_t sample_type)
      : profile_(profile),
        names_(names),
        children_(profile),
        own_(sum_by_stack(profile, sample_type)),
        on_path_(names.size()) {
    total_ = own_;
    total_.include_descendants(profile);
    graph_.nodes_.resize(names.size());
    graph_.total_ = report_total(profile, sample_type);
  }

  CallGraph build() {
    StackId stack = children_.first[0];
    while (stack != 0) {
      enter(stack);
      if (children_.first[stack] != 0) {
        stack = children_.first[stack];
        continue;
      }
      while (stack != 0 && children_.next[stack] == 0) {
        leave(stack);
        stack = profile_.stack(stack).parent;
      }
      if (stack == 0) break;
      leave(stack);
      stack = children_.next[stack];
    }
    return std::move(graph_);
  }

 private:
  struct Step {
    NameId name;
    std::uint32_t edge;
  };

  void enter(StackId stack) {
    const std::span<const NameId> frames = names_.frames(profile_.stack(stack).location);
    for (std::size_t i = 0; i < frames.size(); ++i) enter_frame(frames[i], stack, i > 0);
    GraphNode& leaf = graph_.nodes_[frames.back()];
    leaf.flat = wrapping_add(leaf.flat, own_.weight[stack]);
  }

  void enter_frame(NameId name, StackId stack, bool inlined) {
    const std::int64_t weight = total_.weight[stack];
    std::uint32_t edge = kNone;
    if (!path_.empty() && path_.back().name != name) {
      edge = edge_of(path_.back().name, name);
      GraphEdge& counted = graph_.edges_[edge];
      counted.inlined = counted.inlined && inlined;
      if (edge_on_path_[edge]++ == 0) counted.weight = wrapping_add(counted.weight, weight);
    }
    if (on_path_[name]++ == 0) {
      GraphNode& node = graph_.nodes_[name];
      node.cum = wrapping_add(node.cum, weight);
    }
    path_.push_back({name, edge});
  }

  void leave(StackId stack) {
    for (std::size_t n = names_.frames(profile_.stack(stack).location).size(); n > 0; --n) {
      --on_path_[path_.back().name];
      if (path_.back().edge != kNone) --edge_on_path_[path_.back().edge];
      path_.pop_back();
    }
  }

  static std::uint64_t hash(NameId caller, NameId callee) {
    return mix_hash((std::uint64_t{caller} << 32) | callee);
  }

  std::uint32_t edge_of(NameId caller, NameId callee) {
    std::vector<GraphEdge>& edges = graph_.edges_;
    const std::uint64_t key = hash(caller, callee);
    const std::uint32_t found = index_.find(key, [&](std::uint32_t id) {
      return edges[id].caller == caller && edges[id].callee == callee;
    });
    if (found != InternTable::kNotFound) return found;
    const auto id = static_cast<std::uint32_t>(edges.size());
    edges.push_back({.caller = caller, .callee = callee});
    edge_on_path_.push_back(0);
    index_.insert(key, id, [&](std::uint32_t i) { return hash(edges[i].caller, edges[i].callee); });
    return id;
  }

  static constexpr std::uint32_t kNone = InternTable::kNotFound;

  const Profile& profile_;
  const FrameNames& names_;
  StackChildren children_;
  StackTotals own_;
  StackTotals total_;
  CallGraph graph_;
  InternTable index_;
  std::vector<Step> path_;
  std::vector<std::uint32_t> on_path_;
  std::vector<std::uint32_t> edge_on_path_;
};

CallGraph CallGraph::build(const Profile& profile, const FrameNames& names,
                           std::size_t sample_type) {
  return GraphBuilder{profile, names, sample_type}.build();
}

namespace {

bool is_base(const Profile& profile, std::uint32_t row) {
  return std::ranges::any_of(profile.labels(profile.sample_labels(row)), [&](const Label& label) {
    return !label.is_number && profile.string(label.key) == "pprof::base" &&
           profile.string(label.text) == "true";
  });
}

}  // namespace

std::int64_t report_total(const Profile& profile, std::size_t sample_type) {
  std::int64_t total = 0;
  std::int64_t base_total = 0;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const std::int64_t value = profile.value(sample_type, row);
    const std::int64_t magnitude = value < 0 ? wrapping_subtract(0, value) : value;
    total = wrapping_add(total, magnitude);
    if (is_base(profile, row)) base_total = wrapping_add(base_total, magnitude);
  }
  return base_total > 0 ? base_total : total;
}

}  // namespace hprof::formats
