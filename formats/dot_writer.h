// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes the call graph for Graphviz in the layout of google/pprof: the options.top_count (0: 80)
/// largest functions by cumulative value, calls of at least 0.1 % of the total. What is left out is
/// said in the legend. Errors: usage for a sample type that is not there; the sink's.
Result<void> write_dot(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
