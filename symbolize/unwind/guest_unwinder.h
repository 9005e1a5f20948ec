// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/module_tables.h"
#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwind_state.h"

#include <hprof/core/target/address_space.h>

#include <cstdint>

namespace hprof::symbolize {

/// An address of code as everybody who steps a frame needs it.
struct CodePlace {
  const AddressSpace& space;
  const MappedRange& range;
  ModuleTables* tables = nullptr;  ///< null for code without a file
  std::uint64_t pc = 0;            ///< inside the instruction that is under way
  std::uint64_t vaddr = 0;         ///< the same as a linked address; pc without a file

  [[nodiscard]] std::uint64_t bias() const { return pc - vaddr; }
};

/// Steps the frames of one language runtime: code whose frames no table of the system describes,
/// or describes worse. A guest owns ranges of code; when a pc falls in one it steps that frame
/// and hands registers back, and whoever owns the next pc goes on.
class GuestUnwinder {
 public:
  virtual ~GuestUnwinder() = default;

  /// Whether the code at `place` is this guest's. For code with a file the answer is remembered
  /// by (module, offset); for code without one it is asked at each frame.
  virtual bool owns(const CodePlace& place) = 0;
  /// Moves `state` to the caller: pc, stack pointer, frame pointer and those callee-saved
  /// registers that a native caller's table may ask for; others it must forget. A step to another
  /// stack sets switched_stack.
  virtual StepEnd step(const CodePlace& place, StackMemory& memory, UnwindState& state) = 0;
  /// Whether the runtime puts `place` on a stack as a return address though no call stands before
  /// it (Go's goexit).
  virtual bool returns_without_call(const CodePlace& place) = 0;
};

}  // namespace hprof::symbolize
