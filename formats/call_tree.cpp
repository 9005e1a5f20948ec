// SPDX-License-Identifier: Apache-2.0
#include "call_tree.h"

#include "stack_totals.h"

#include <hprof/core/base/error.h>

#include <algorithm>
#include <cmath>

namespace hprof::formats {
namespace {

double magnitude(std::int64_t value) { return std::abs(static_cast<double>(value)); }

}  // namespace

/// Expands nodes depth first. A node under construction is a group of places in the stack trie that
/// show the same path of names; its children are the next frames of all of them, merged by name.
class TreeBuilder {
 public:
  TreeBuilder(const Profile& profile, const FrameNames& names, const TreeOptions& options)
      : profile_(profile), names_(names), options_(options), marks_(names.size()) {}

  CallTree build() {
    load_weights();
    if (options_.order == TreeOrder::by_name) make_sort_keys();
    push_root();
    while (!pending_.empty()) emit_next();
    finish_ends();
    return std::move(tree_);
  }

 private:
  /// Frame `line` (outermost first) of the location of `stack`; for a reversed tree, reached from
  /// the leaf of `origin`.
  struct Place {
    StackId stack;
    std::uint32_t line;
    StackId origin;
  };
  struct Pending {
    NameId name;
    std::uint32_t parent;
    bool inlined;
    std::int64_t total;
    std::int64_t delta;
    std::size_t first_place;
    std::size_t place_end;
  };
  struct Child {
    NameId name;
    std::uint32_t place_count;
    bool inlined;
    std::int64_t total;
    std::int64_t delta;
    std::size_t next_place;
  };
  struct Step {
    std::uint32_t child;
    Place place;
  };
  struct Mark {
    std::uint32_t epoch = 0;
    std::uint32_t child = 0;
  };

  void load_weights() {
    StackTotals totals = options_.difference
                             ? difference_by_stack(profile_, options_.sample_type)
                             : sum_by_stack(profile_, options_.sample_type);
    if (!options_.reverse) {
      totals.include_descendants(profile_);
      callees_.emplace(profile_);
    }
    weights_ = std::move(totals.weight);
    delta_ = std::move(totals.delta);
  }

  void make_sort_keys() {
    sort_keys_.reserve(names_.size());
    for (NameId id = 0; id < names_.size(); ++id) {
      std::uint64_t key = 0;
      const std::string_view name = names_.name(id).substr(0, 8);
      for (const char c : name) key = (key << 8) | static_cast<unsigned char>(c);
      sort_keys_.push_back(name.empty() ? 0 : key << (8 * (8 - name.size())));
    }
  }

  void push_root() {
    Pending root{};
    if (options_.reverse) {
      for (StackId s = 0; s < weights_.size(); ++s) {
        if (weights_[s] == 0 && (delta_.empty() || delta_[s] == 0)) continue;
        root.total = wrapping_add(root.total, weights_[s]);
        if (!delta_.empty()) root.delta = wrapping_add(root.delta, delta_[s]);
        if (s != 0) places_.push_back({s, frame_total(s), s});
      }
    } else {
      root.total = weights_[0];
      root.delta = delta_.empty() ? 0 : delta_[0];
      places_.push_back({0, 0, 0});
    }
    threshold_ = options_.min_share * magnitude(root.total);
    root.place_end = places_.size();
    pending_.push_back(root);
  }

  void emit_next() {
    const Pending node = pending_.back();
    pending_.pop_back();
    const auto index = static_cast<std::uint32_t>(tree_.nodes_.size());
    const std::uint32_t depth = index == 0 ? 0 : tree_.nodes_[node.parent].depth + 1;
    group_.assign(places_.begin() + static_cast<std::ptrdiff_t>(node.first_place),
                  places_.begin() + static_cast<std::ptrdiff_t>(node.place_end));
    places_.resize(node.first_place);
    collect_children();
    std::int64_t self = node.total;
    for (const Child& child : children_) self = wrapping_subtract(self, child.total);
    HPROF_CHECK(index != InternTable::kNotFound);
    tree_.nodes_.push_back(
        {node.name, node.parent, depth, node.inlined, index + 1, self, node.total});
    if (!delta_.empty()) tree_.deltas_.push_back(node.delta);
    tree_.max_depth_ = std::max(tree_.max_depth_, depth);
    push_children(index);
  }

  void collect_children() {
    ++epoch_;
    children_.clear();
    steps_.clear();
    for (const Place& place : group_) {
      options_.reverse ? step_to_caller(place) : step_to_callees(place);
    }
  }

  void step_to_callees(const Place& place) {
    const StackId stack = place.stack;
    if (place.line + 1 < frame_total(stack)) return add_step({stack, place.line + 1, 0}, stack);
    for (StackId child = callees_->first[stack]; child != 0; child = callees_->next[child]) {
      add_step({child, 0, 0}, child);
    }
  }

  void step_to_caller(const Place& place) {
    if (place.line > 0) return add_step({place.stack, place.line - 1, place.origin}, place.origin);
    const StackId parent = profile_.stack(place.stack).parent;
    if (parent != 0) add_step({parent, frame_total(parent) - 1, place.origin}, place.origin);
  }

  void add_step(const Place& place, StackId weigh) {
    const NameId name = names_.frames(profile_.stack(place.stack).location)[place.line];
    Mark& mark = marks_[name];
    if (mark.epoch != epoch_) {
      mark = {epoch_, static_cast<std::uint32_t>(children_.size())};
      children_.push_back({name, 0, true, 0, 0, 0});
    }
    Child& child = children_[mark.child];
    ++child.place_count;
    child.inlined = child.inlined && place.line > 0;
    child.total = wrapping_add(child.total, weights_[weigh]);
    if (!delta_.empty()) child.delta = wrapping_add(child.delta, delta_[weigh]);
    steps_.push_back({mark.child, place});
  }

  // The child that comes first is pushed last, and its places lie last: each pop frees the end.
  void push_children(std::uint32_t parent) {
    order_.clear();
    for (std::uint32_t i = 0; i < children_.size(); ++i) {
      if (is_kept(children_[i])) order_.push_back(i);
    }
    sort_children();
    std::size_t at = places_.size();
    for (Child& child : children_) child.next_place = kDropped;
    for (std::size_t i = order_.size(); i-- > 0;) {
      Child& child = children_[order_[i]];
      pending_.push_back(
          {child.name, parent, child.inlined, child.total, child.delta, at, at + child.place_count});
      child.next_place = at;
      at += child.place_count;
    }
    places_.resize(at);
    for (const Step& step : steps_) {
      std::size_t& next = children_[step.child].next_place;
      if (next != kDropped) places_[next++] = step.place;
    }
  }

  bool is_kept(const Child& child) {
    if (child.total == 0 && child.delta == 0) return options_.keep_zero;
    const bool kept = magnitude(child.total) >= threshold_;
    tree_.left_out_ += kept ? 0 : 1;
    return kept;
  }

  void sort_children() {
    if (order_.size() < 2 || options_.order == TreeOrder::as_seen) return;
    if (options_.order == TreeOrder::by_weight) {
      std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
        return magnitude(children_[a].total) > magnitude(children_[b].total);
      });
      return;
    }
    std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      const NameId x = children_[a].name;
      const NameId y = children_[b].name;
      if (sort_keys_[x] != sort_keys_[y]) return sort_keys_[x] < sort_keys_[y];
      return names_.name(x) < names_.name(y);
    });
  }

  void finish_ends() {
    std::vector<TreeNode>& nodes = tree_.nodes_;
    for (std::size_t i = nodes.size() - 1; i > 0; --i) {
      nodes[nodes[i].parent].end = std::max(nodes[nodes[i].parent].end, nodes[i].end);
    }
  }

  [[nodiscard]] std::uint32_t frame_total(StackId stack) const {
    return static_cast<std::uint32_t>(names_.frames(profile_.stack(stack).location).size());
  }

  static constexpr std::size_t kDropped = ~std::size_t{0};

  const Profile& profile_;
  const FrameNames& names_;
  const TreeOptions& options_;
  CallTree tree_;
  double threshold_ = 0;
  std::vector<std::int64_t> weights_;  ///< by stack; inclusive unless reversed
  std::vector<std::int64_t> delta_;
  std::optional<StackChildren> callees_;
  std::vector<std::uint64_t> sort_keys_;  ///< by name: its first eight bytes, big endian
  std::vector<Mark> marks_;               ///< by name: its place among the current children
  std::uint32_t epoch_ = 0;
  std::vector<Pending> pending_;
  std::vector<Place> places_;  ///< of pending nodes
  std::vector<Place> group_;
  std::vector<Child> children_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> order_;
};

CallTree CallTree::build(const Profile& profile, const FrameNames& names,
                         const TreeOptions& options) {
  return TreeBuilder{profile, names, options}.build();
}

}  // namespace hprof::formats
