// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

// Text reports in the layouts of google/pprof, for people and for scripts that parse it.
// Errors of all: usage for a sample type that is not there; the sink's.

/// Functions by flat value: flat flat% sum% cum cum% name. options.top_count limits the rows.
Result<void> write_top(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// Each function between its callers and callees, largest flat value first.
Result<void> write_tree(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// As write_tree, ordered by cumulative value and without functions of no value.
Result<void> write_peek(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// Every sample with its labels and stack, leaf first.
Result<void> write_traces(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// Everything the profile holds, table by table.
Result<void> write_raw(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
