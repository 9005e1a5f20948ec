// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/arch.h"

#include <cstdint>
#include <optional>

namespace hprof::symbolize {

/// The registers of one frame, as far as they are known.
struct UnwindState {
  UserRegisters registers;
  std::uint64_t known = (std::uint64_t{1} << UserRegisters::kCount) - 1;  ///< bit by register
  /// Whether pc is where the thread is or was interrupted, and not a return address.
  bool exact_pc = true;
  /// Set by a step that went to another stack on purpose (signal stack, coroutine, g0).
  bool switched_stack = false;

  [[nodiscard]] std::uint64_t pc() const { return registers.pc(); }
  [[nodiscard]] std::uint64_t sp() const { return registers.sp(); }
  /// An address inside the instruction that is under way: for a caller, that of its call.
  [[nodiscard]] std::uint64_t lookup_pc() const { return exact_pc ? pc() : pc() - 1; }

  [[nodiscard]] bool knows(std::uint64_t reg) const {
    return reg < UserRegisters::kCount && ((known >> reg) & 1) != 0;
  }
  [[nodiscard]] std::optional<std::uint64_t> get(std::uint64_t reg) const {
    if (!knows(reg)) return std::nullopt;
    return registers.value[static_cast<std::size_t>(reg)];
  }
  void set(std::size_t reg, std::uint64_t value) {
    registers.value[reg] = value;
    known |= std::uint64_t{1} << reg;
  }
  void forget(std::size_t reg) { known &= ~(std::uint64_t{1} << reg); }
  /// Keeps only the frame pointer, stack pointer and pc: what a step without a table knows.
  void forget_all_but_frame() {
    known = (std::uint64_t{1} << UserRegisters::kFramePointer) |
            (std::uint64_t{1} << UserRegisters::kStackPointer) |
            (std::uint64_t{1} << UserRegisters::kPc);
  }
};

/// How one step to the caller ended.
enum class StepEnd : std::uint8_t {
  caller,     ///< the state is the caller's now
  root,       ///< there is no caller
  truncated,  ///< there is one, but it was not found
};

}  // namespace hprof::symbolize
