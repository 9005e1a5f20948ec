// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Callgrind's and xdebug's out files. The format holds own costs and calls with their inclusive
/// cost, no stacks: a callee's cost is shared out among its callers by those, recursion is cut at
/// the second time. Each event is a sample type.
/// Errors: malformed_input with the line. Source: valgrind, cl-format.xml.
Sniff sniff_callgrind(const SniffInput& input);
Result<Profile> read_callgrind(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
