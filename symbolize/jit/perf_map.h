// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/frame.h"

#include <hprof/core/base/bytes.h>

#include <span>

namespace hprof::symbolize {

/// Names addresses (sorted) by a perf map: lines "START SIZE name", numbers in hex. Runtimes append
/// to it while code comes and goes, so later lines win. Lines that make no sense are left out.
/// Source: tools/perf/Documentation/jit-interface.txt in Linux.
void name_by_perf_map(Bytes text, std::span<const std::uint64_t> addresses, std::span<Frames> out);

}  // namespace hprof::symbolize
