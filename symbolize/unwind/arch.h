// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/unwinder.h>

#include <elf.h>

#include <array>
#include <cstdint>

namespace hprof::symbolize {

/// What unwinding must know of the processor; the one place, with call_site.cpp, that differs.
/// Sources: System V psABI x86-64 and AAPCS64, "DWARF register number mapping".
#if defined(__aarch64__)
inline constexpr std::uint16_t kMachine = EM_AARCH64;
inline constexpr std::uint8_t kReturnColumn = 30;
/// The return address stays in a register until a function saves it.
inline constexpr bool kHasLinkRegister = true;
/// Registers a compact row can restore: callee-saved ones and the return address.
inline constexpr std::array<std::uint8_t, 12> kSavedRegisters{19, 20, 21, 22, 23, 24,
                                                              25, 26, 27, 28, 29, 30};
/// Takes pointer authentication bits off a code address.
constexpr std::uint64_t code_address(std::uint64_t value) {
  return value & 0x0000ffffffffffffULL;
}
#else
inline constexpr std::uint16_t kMachine = EM_X86_64;
inline constexpr std::uint8_t kReturnColumn = 16;
inline constexpr bool kHasLinkRegister = false;
inline constexpr std::array<std::uint8_t, 7> kSavedRegisters{3, 6, 12, 13, 14, 15, 16};
constexpr std::uint64_t code_address(std::uint64_t value) {
  return value;
}
#endif

/// Position of a register in kSavedRegisters, or -1.
constexpr int saved_index(std::uint64_t reg) {
  for (std::size_t i = 0; i < kSavedRegisters.size(); ++i) {
    if (kSavedRegisters[i] == reg) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace hprof::symbolize
