// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/proc_fs.h>

#include <span>

namespace hprof {

/// `roots` and all their descendants that are alive now, ascending and without doubles.
std::vector<int> with_descendants(const ProcFs& proc, std::span<const int> roots);

}  // namespace hprof
