// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_massif(const SniffInput& input);

/// Reads the heap tree of the peak snapshot of a massif.out file, of the last detailed one where
/// none is the peak: `inuse_space/bytes`. What massif left out as too small keeps its callers' stack.
/// Errors: malformed_input with the line.
Result<Profile> read_massif(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
