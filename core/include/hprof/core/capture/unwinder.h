// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/address_space.h>
#include <hprof/core/target/memory_reader.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// The user registers of a thread by DWARF number: on x86-64 rax rdx rcx rbx rsi rdi rbp rsp
/// r8..r15 rip, on arm64 x0..x30 sp pc. Source: the psABIs.
struct UserRegisters {
#if defined(__aarch64__)
  static constexpr std::size_t kCount = 33;
  static constexpr std::size_t kFramePointer = 29;
  static constexpr std::size_t kStackPointer = 31;
  static constexpr std::size_t kPc = 32;
#else
  static constexpr std::size_t kCount = 17;
  static constexpr std::size_t kFramePointer = 6;
  static constexpr std::size_t kStackPointer = 7;
  static constexpr std::size_t kPc = 16;
#endif
  std::array<std::uint64_t, kCount> value{};

  [[nodiscard]] std::uint64_t pc() const { return value[kPc]; }
  [[nodiscard]] std::uint64_t sp() const { return value[kStackPointer]; }
};

/// A copy of the stack from the stack pointer upwards, taken with the registers.
struct StackCopy {
  std::uint64_t address = 0;
  Bytes bytes;
};

enum class UnwindEnd : std::uint8_t {
  root,       ///< the outermost frame: a table says so, or the thread's start function
  truncated,  ///< the stack went on but could not be followed
};

/// Turns registers and a stack into frames. One object serves all threads of all processes; not
/// thread safe.
class Unwinder {
 public:
  virtual ~Unwinder() = default;

  /// Appends the frames of one thread to `frames`, leaf first: the exact pc of the innermost frame
  /// (and of one interrupted by a signal, and of a signal trampoline), for callers the return
  /// address - 1.
  /// `live` may be null; it is asked only for stack beyond the copy, and what it yields is believed
  /// only where each return address follows a call and the CFA advances.
  /// Limit: at most `max_frames` frames, then the end is truncated.
  virtual UnwindEnd unwind(const AddressSpace& space, const UserRegisters& registers,
                           const StackCopy& stack, MemoryReader* live, std::size_t max_frames,
                           std::vector<std::uint64_t>& frames) = 0;
};

}  // namespace hprof
