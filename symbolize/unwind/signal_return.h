// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwind_state.h"

#include <cstdint>

namespace hprof::symbolize {

/// Whether `code` around a pc is the trampoline that a signal handler returns to, of a libc or
/// runtime that wrote no table for it (musl, Go). `before` bytes of `code` stand before the pc.
bool is_signal_return(Bytes code, std::size_t before);

/// Steps from such a trampoline to the frame the signal interrupted.
StepEnd step_signal_return(StackMemory& memory, UnwindState& state);

}  // namespace hprof::symbolize
