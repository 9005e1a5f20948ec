// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_heaptrack(const SniffInput& input);

/// Reads heaptrack recordings, interpreted and raw: allocations/count, temporary/count, peak/bytes
/// (what was in use when the whole process used most) and leaked/bytes, suppressions of the file
/// applied. The course of time is not kept. Raw recordings have addresses and mappings, no names.
/// Errors: malformed_input with the line.
Result<Profile> read_heaptrack(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
