// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_java_hprof(const SniffInput& input);

/// Reads the text of Java's old HPROF agent ("JAVA PROFILE 1.0.1"). CPU SAMPLES give samples/count;
/// CPU TIME gives calls/count and cpu/milliseconds, the latter as exact as its percentages are.
/// Errors: malformed_input; unsupported for the binary heap dump.
Result<Profile> read_java_hprof(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
