// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

// Readers of JSON formats. All: malformed_input for bad JSON and for indexes that lead nowhere.

/// speedscope's own file format, evented and sampled profiles. Profiles of one unit are threads of
/// one sample type; what hprof wrote has a sample type for each profile.
/// Source: speedscope, src/lib/file-format-spec.ts.
Sniff sniff_speedscope(const SniffInput& input);
Result<Profile> read_speedscope(ByteSource& source, const ReadOptions& options);

/// V8's .cpuprofile of Chrome and Node, with flat nodes or the older nested head.
Sniff sniff_cpuprofile(const SniffInput& input);
Result<Profile> read_cpuprofile(ByteSource& source, const ReadOptions& options);

/// V8's sampled .heapprofile.
Sniff sniff_heapprofile(const SniffInput& input);
Result<Profile> read_heapprofile(ByteSource& source, const ReadOptions& options);

/// Trace events of Chrome, Perfetto's JSON and many others: CPU profile chunks where there are some,
/// else the durations of B, E and X events. A missing "]" at the end is allowed by the format.
Sniff sniff_chrome_trace(const SniffInput& input);
Result<Profile> read_chrome_trace(ByteSource& source, const ReadOptions& options);

/// Profiles of Firefox: as its profiler sends them (gecko) and as its web page saves them.
Sniff sniff_firefox(const SniffInput& input);
Result<Profile> read_firefox(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
