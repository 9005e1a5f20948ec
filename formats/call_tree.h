// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frame_names.h"

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <span>
#include <vector>

namespace hprof::formats {

enum class TreeOrder {
  as_seen,    ///< the order in which stacks came up: time, as far as a profile knows it
  by_name,    ///< alphabetical, as flamegraph.pl does
  by_weight,  ///< left-heavy
};

struct TreeOptions {
  std::size_t sample_type = 0;
  TreeOrder order = TreeOrder::by_name;
  bool reverse = false;      ///< merge from the leaf: children are callers
  bool difference = false;   ///< values may be negative, see CallTree::deltas()
  bool keep_zero = false;    ///< keep nodes whose total is zero
  double min_share = 0;      ///< leave out nodes below this share of the total
};

/// A frame under its callers. Nodes stand in preorder: a node's subtree is [index, end).
struct TreeNode {
  NameId name = 0;
  std::uint32_t parent = 0;  ///< index; of a root child 0
  std::uint32_t depth : 31 = 0;   ///< of a root child 1
  std::uint32_t inlined : 1 = 0;  ///< wherever it occurs; forward trees only
  std::uint32_t end = 0;     ///< first index behind the subtree
  std::int64_t self = 0;
  std::int64_t total = 0;
};

/// The call tree of one value column, inlined frames expanded, siblings of one name merged.
/// nodes()[0] is the root, which stands for everything and has no name.
/// Cost: O(frames of distinct stacks); memory: the kept nodes plus 16 bytes for each stack.
class CallTree {
 public:
  static CallTree build(const Profile& profile, const FrameNames& names, const TreeOptions& options);

  [[nodiscard]] std::span<const TreeNode> nodes() const { return nodes_; }
  [[nodiscard]] std::int64_t total() const { return nodes_.front().total; }
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  /// Nodes left out because of min_share; their descendants are not counted.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  /// Of a difference: by node, the change from base to profile. A node's total is then the larger
  /// of both sides, summed stack by stack, so that what vanished keeps its width. Else empty.
  [[nodiscard]] std::span<const std::int64_t> deltas() const { return deltas_; }

 private:
  friend class TreeBuilder;
  std::vector<TreeNode> nodes_;
  std::vector<std::int64_t> deltas_;
  std::uint32_t max_depth_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace hprof::formats
