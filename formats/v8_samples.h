// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "v8_tree.h"

#include <vector>

namespace hprof::formats {

/// Samples of a V8 profile: node ids and the microseconds between them.
struct V8Samples {
  std::vector<std::uint64_t> ids;
  std::vector<double> deltas_us;
  double start_us = 0;
  double end_us = 0;  ///< 0: unknown
  bool may_lack_nodes = false;  ///< chunks get lost: samples of unknown nodes are counted and skipped
};

/// samples/count and wall/nanoseconds.
void add_v8_types(Profile& p);
Result<void> add_v8_samples(Profile& p, const V8Tree& tree, const V8Samples& samples,
                            LabelSetId labels);

}  // namespace hprof::formats
