// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

#include <string>
#include <string_view>

namespace hprof::formats {

/// Writes what the flame graph page reads: all value columns by thread, in columns,
/// gzip-compressed. Options: title, inverted, reverse, negative, sample_type (shown first).
/// Errors: usage for a sample type that is not there; the sink's.
Result<void> write_flamegraph_data(const Profile& profile, ByteSink& sink,
                                   const WriteOptions& options);

/// The flame graph page in parts, for a page that holds more: style, the element that FlameView
/// takes over, and the scripts with FlameData and FlameView.
struct FlamegraphParts {
  std::string_view css;
  std::string_view body;
  std::string script;
};
FlamegraphParts flamegraph_parts();

}  // namespace hprof::formats
