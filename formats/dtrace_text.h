// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_dtrace(const SniffInput& input);

/// Reads what DTrace prints of a stack aggregation: frames "module`function+0x1", innermost first,
/// then a line with the count. Names keep their module; offsets go. Sample type: samples/count.
/// Errors: malformed_input if there is no stack with a count.
Result<Profile> read_dtrace(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
