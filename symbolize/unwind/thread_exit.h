// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

namespace hprof::symbolize {

/// Whether `code`, what stands behind a return address, makes the exit system call: the code that
/// clone(2) starts a thread in, whose caller there is not.
bool exits_thread(Bytes code);

}  // namespace hprof::symbolize
