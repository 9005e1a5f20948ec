// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes what formats/assets/flamegraph_model.js reads: all value columns by thread, in columns,
/// gzip-compressed. Options: title, inverted, reverse, negative, sample_type (shown first).
/// Errors: usage for a sample type that is not there; the sink's.
Result<void> write_flamegraph_data(const Profile& profile, ByteSink& sink,
                                   const WriteOptions& options);

/// Writes a self-contained page that shows the same data; it loads nothing.
Result<void> write_flamegraph_html(const Profile& profile, ByteSink& sink,
                                   const WriteOptions& options);

}  // namespace hprof::formats
