// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/frame.h"

#include <span>
#include <string>

namespace hprof::symbolize {

/// Names code that process `pid` made at run time, by what it wrote for perf: the perf map of its
/// innermost pid namespace, and jitdump files it maps or left in its working folder. The files
/// are read anew each time, for the process goes on writing.
/// Returns why addresses may lack a name: empty if there was something to read.
std::string name_jit_code(const std::string& proc_root, int pid,
                          std::span<const std::uint64_t> addresses, std::span<Frames> out);

}  // namespace hprof::symbolize
