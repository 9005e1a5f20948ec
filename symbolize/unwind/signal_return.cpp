// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/signal_return.h"

#include <array>
#include <string_view>

namespace hprof::symbolize {
namespace {

using namespace std::string_view_literals;

#if defined(__aarch64__)
constexpr std::array kTrampolines{"\x68\x11\x80\xd2\x01\x00\x00\xd4"sv};  // mov x8, 139; svc 0
constexpr std::size_t kSyscallBytes = 4;
#else
constexpr std::array kTrampolines{
    "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"sv,  // mov $15, %rax; syscall
    "\xb8\x0f\x00\x00\x00\x0f\x05"sv,          // mov $15, %eax; syscall
};
constexpr std::size_t kSyscallBytes = 2;
#endif

}  // namespace

bool is_signal_return(Bytes code, std::size_t before) {
  const std::string_view text = as_text(code);
  for (const std::string_view trampoline : kTrampolines) {
    // A thread stands before it, before the system call, or behind that, as one inside it does.
    for (const std::size_t done :
         {std::size_t{0}, trampoline.size() - kSyscallBytes, trampoline.size()}) {
      if (done > before) continue;
      if (text.substr(before - done).starts_with(trampoline)) return true;
    }
  }
  return false;
}

#if defined(__aarch64__)
// rt_sigframe := siginfo 128 bytes, ucontext {flags, link, stack 24, mask 128, pad to 16,
//   fault address, x0..x30, sp, pc}. Source: arch/arm64/kernel/signal.c.
StepEnd step_signal_return(StackMemory& memory, UnwindState& state) {
  constexpr std::uint64_t kFirst = 128 + 176 + 8;
  UnwindState next = state;
  for (std::size_t reg = 0; reg < UserRegisters::kCount; ++reg) {
    std::uint64_t value = 0;
    if (!memory.read(state.sp() + kFirst + reg * 8, value)) return StepEnd::truncated;
    next.set(reg, value);
  }
  next.exact_pc = true;
  next.switched_stack = true;
  state = next;
  return StepEnd::caller;
}
#else
// At the trampoline the stack pointer is at ucontext {flags, link, stack 24, r8..r15, rdi, rsi,
// rbp, rbx, rdx, rax, rcx, rsp, rip}. Source: arch/x86/include/uapi/asm/{ucontext,sigcontext}.h.
StepEnd step_signal_return(StackMemory& memory, UnwindState& state) {
  constexpr std::uint64_t kFirst = 40;
  constexpr std::array<std::uint8_t, UserRegisters::kCount> kOrder{8, 9, 10, 11, 12, 13, 14, 15, 5,
                                                                   4, 6, 3,  1,  0,  2,  7,  16};
  UnwindState next = state;
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    std::uint64_t value = 0;
    if (!memory.read(state.sp() + kFirst + i * 8, value)) return StepEnd::truncated;
    next.set(kOrder[i], value);
  }
  next.exact_pc = true;
  next.switched_stack = true;
  state = next;
  return StepEnd::caller;
}
#endif

}  // namespace hprof::symbolize
