// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/frame.h"

#include <hprof/core/base/bytes.h>

#include <span>

namespace hprof::symbolize {

/// Names addresses (sorted) by a jitdump file of either byte order, with lines where it has them.
/// Code loaded or moved later wins. What is broken ends the reading.
/// Source: tools/perf/Documentation/jitdump-specification.txt in Linux.
void name_by_jitdump(Bytes dump, std::span<const std::uint64_t> addresses, std::span<Frames> out);

}  // namespace hprof::symbolize
