// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_perf_script(const SniffInput& input);

/// Reads the text that `perf script` prints. Sample types: `samples/count` and `EVENT/UNIT` for one
/// event, `EVENT:samples/count` and `EVENT/UNIT` for each of several; the weight column is left out
/// where the text has no periods. Labels: thread, tid, pid.
/// Memory: bounded by the distinct stacks, not by the length of the text.
/// Errors: malformed_input if no line parses; usage if since/until are dates and the text has only
/// times since boot.
Result<Profile> read_perf_script(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
