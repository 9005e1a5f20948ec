// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/flamegraph.h>

namespace hprof::formats {

/// Writes a self-contained page that shows the same data; it loads nothing.
Result<void> write_flamegraph_html(const Profile& profile, ByteSink& sink,
                                   const WriteOptions& options);

}  // namespace hprof::formats
