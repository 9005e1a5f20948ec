// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frame_names.h"

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hprof::formats {

struct GraphNode {
  std::int64_t flat = 0;  ///< of samples whose leaf it is
  std::int64_t cum = 0;   ///< of samples it occurs in, once each however often it recurs
};

struct GraphEdge {
  NameId caller = 0;
  NameId callee = 0;
  std::int64_t weight = 0;  ///< of samples with this call, once each
  bool inlined = true;      ///< wherever it occurs
};

/// Who calls whom, by name. Calls of a function by itself are no edges. Source: google/pprof, graph.
class CallGraph {
 public:
  static CallGraph build(const Profile& profile, const FrameNames& names, std::size_t sample_type);

  /// By NameId.
  [[nodiscard]] std::span<const GraphNode> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const GraphEdge> edges() const { return edges_; }
  /// What percentages are of: the sum of absolute values; only of the base's samples, where the
  /// profile holds samples marked pprof::base.
  [[nodiscard]] std::int64_t total() const { return total_; }

 private:
  friend class GraphBuilder;
  std::vector<GraphNode> nodes_;
  std::vector<GraphEdge> edges_;
  std::int64_t total_ = 0;
};

/// The denominator of percentages, see CallGraph::total().
std::int64_t report_total(const Profile& profile, std::size_t sample_type);

}  // namespace hprof::formats
