// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

// The profiles that google/pprof reads beside its own: texts of gperftools, Go and Java, and the
// binary CPU profile of gperftools. Source: reference/formats.md A8; profile/legacy_profile.go and
// legacy_java_profile.go of google/pprof, whose results these readers equal.
// Errors of all: malformed_input with the format and the line or offset.
namespace hprof::formats {

/// "heap profile: N: B [N: B] @ heap…", growthz and fragmentationz: objects/count, space/bytes, or
/// the four types of heap where allocated differs from in use. Label: bytes.
Sniff sniff_legacy_heap(const SniffInput& input);
Result<Profile> read_legacy_heap(ByteSource& source, const ReadOptions& options);

/// "--- contentionz 1 ---", "--- mutex:", "--- contention:", and Java's heapz and contentionz.
Sniff sniff_legacy_contention(const SniffInput& input);
Result<Profile> read_legacy_contention(ByteSource& source, const ReadOptions& options);

/// "--- threadz 1 ---", "--- Thread …": thread/count.
Sniff sniff_legacy_threads(const SniffInput& input);
Result<Profile> read_legacy_threads(ByteSource& source, const ReadOptions& options);

/// "goroutine profile: total N" and the like, debug=1 of Go: NAME/count, with names and labels where
/// the text has them.
Sniff sniff_go_count(const SniffInput& input);
Result<Profile> read_go_count(ByteSource& source, const ReadOptions& options);

/// gperftools' binary CPU profile of both word sizes and byte orders: samples/count, cpu/nanoseconds.
Sniff sniff_gperftools_cpu(const SniffInput& input);
Result<Profile> read_gperftools_cpu(ByteSource& source, const ReadOptions& options);

/// jemalloc's "heap_v2/RATE" dump. Labels: thread, bytes.
Sniff sniff_jemalloc_heap(const SniffInput& input);
Result<Profile> read_jemalloc_heap(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
