// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwind_state.h"

#include <hprof/core/target/address_space.h>

namespace hprof::symbolize {

/// Steps to the caller of code that no table covers: by its frame pointer; in files also by what
/// its instructions do up to their `ret`; where the thread stands in such code by what the next
/// instructions show (entry, exit, PLT) or by a return address on top of the stack. Every return
/// address must follow a call, as far as code can be read. On truncated the state is unchanged.
StepEnd step_by_frame_pointer(const AddressSpace& space, StackMemory& memory, UnwindState& state);

}  // namespace hprof::symbolize
