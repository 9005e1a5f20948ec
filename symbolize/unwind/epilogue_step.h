// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwind_state.h"

#include <hprof/core/target/address_space.h>

#include <cstdint>
#include <optional>

namespace hprof::symbolize {

/// The caller of compiled code without tables and without frame pointers (musl, assembly), found
/// by following the instructions from the pc to a `ret` and adding up what they do to the stack
/// pointer; registers popped on the way are the caller's. Calls are taken to return, branches are
/// tried both ways. Believed only if the address found stands behind a call.
/// Limits: kMaxInstructions in all. Absent: no such way, or not x86-64.
struct EpilogueStep {
  UnwindState caller;
  std::uint64_t slot = 0;  ///< where the return address lies
};
std::optional<EpilogueStep> step_by_epilogue(const AddressSpace& space, StackMemory& memory,
                                             const UnwindState& state);

}  // namespace hprof::symbolize
