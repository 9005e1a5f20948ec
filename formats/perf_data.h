// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_features.h"

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_perf_data(const SniffInput& input);

/// Reads a perf.data file of any age, as a file or from a pipe, of either byte order, zstd inside or
/// not. Sample types: `samples/count` and `EVENT/UNIT`, see EventColumns. Labels: thread, tid, pid.
/// Locations have addresses and mappings with build ids, no names.
/// Stacks: callchains; call stacks of the branch recorder; copies of the user stack by
/// `options.unwinder`.
/// Memory: bounded by the distinct stacks and one round of the recording (a file without rounds
/// counts as one).
/// Errors: malformed_input with the record's number and offset; with `options.recover` what comes
/// before it is used.
Result<Profile> read_perf_data(ByteSource& source, const ReadOptions& options);

/// What a perf.data file says of itself beside its samples.
struct PerfDataFacts {
  perf::Features features;
  std::uint64_t samples = 0;
  std::uint64_t bad_records = 0;
};
Result<Profile> read_perf_data(ByteSource& source, const ReadOptions& options, PerfDataFacts* facts);

}  // namespace hprof::formats
