// SPDX-License-Identifier: Apache-2.0
#include "thread_hold.h"

#include <hprof/core/target/process_memory.h>

#include <fmt/format.h>

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#include <array>

namespace hprof {
namespace {

std::int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

#if defined(__aarch64__)
using KernelRegisters = user_regs_struct;
UserRegisters to_dwarf(const KernelRegisters& r) {
  UserRegisters out;
  for (std::size_t i = 0; i < 31; ++i) out.value[i] = r.regs[i];
  out.value[31] = r.sp;
  out.value[32] = r.pc;
  return out;
}
#else
using KernelRegisters = user_regs_struct;
UserRegisters to_dwarf(const KernelRegisters& r) {
  return {{r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8, r.r9, r.r10, r.r11, r.r12,
           r.r13, r.r14, r.r15, r.rip}};
}
#endif

/// ptrace(2) with a number where its prototype has a pointer.
long call_ptrace(__ptrace_request request, int tid, std::uintptr_t address, std::uintptr_t data) {
  return ::ptrace(request, tid, reinterpret_cast<void*>(address), reinterpret_cast<void*>(data));
}

bool read_registers(int tid, HeldThread& held) {
  // 32-bit code has other registers in the same note: the size tells.
  std::array<std::byte, 1024> buffer{};
  iovec io{buffer.data(), buffer.size()};
  if (::ptrace(PTRACE_GETREGSET, tid, reinterpret_cast<void*>(NT_PRSTATUS), &io) != 0) return false;
  if (io.iov_len < sizeof(KernelRegisters)) {
    held.is_32_bit = true;
    constexpr std::size_t kEip32 = 12 * 4;  // of user_regs_struct in the i386 ABI
    held.registers.value[UserRegisters::kPc] = load<std::uint32_t>(buffer, kEip32);
    return true;
  }
  held.registers = to_dwarf(load<KernelRegisters>(buffer, 0));
  return true;
}

Error ptrace_error(int reason, int tid) {
  Error error = system_error(reason, fmt::format("cannot hold thread {}", tid));
  if (error.kind == ErrorKind::permission) {
    error.hint = "run as the same user, set kernel.yama.ptrace_scope to 0, and end other debuggers";
  }
  return error;
}

}  // namespace

ThreadHolder::~ThreadHolder() {
  constexpr std::int64_t kPatience = 100'000'000;
  collect_for(kPatience, {}, [](int, const HeldThread&) {});
}

ThreadHolder::Stop ThreadHolder::check_stop(const Asked& asked, int& signal) {
  siginfo_t info{};
  // Without WEXITED the end of a child of ours stays for those who wait for it.
  const int options = WSTOPPED | WNOHANG | __WALL | (asked.reap ? WEXITED : 0);
  if (::waitid(P_PID, static_cast<id_t>(asked.tid), &info, options) != 0) {
    return errno == EINTR ? Stop::running : Stop::ended;
  }
  if (info.si_pid == 0) return Stop::running;
  if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED) return Stop::ended;
  // A stop that is our own doing carries an event; another is a signal on its way to the thread.
  signal = (info.si_status >> 8) != 0 ? 0 : info.si_status & 0x7f;
  return Stop::stopped;
}

Result<void> ThreadHolder::ask(int pid, int tid, bool reap) {
  if (call_ptrace(PTRACE_SEIZE, tid, 0, 0) != 0) {
    const int reason = errno;
    return ptrace_error(reason, tid);
  }
  asked_.push_back({pid, tid, reap, now_ns()});
  call_ptrace(PTRACE_INTERRUPT, tid, 0, 0);
  return {};
}

bool ThreadHolder::copy(const Asked& asked, std::span<std::byte> stack, HeldThread& held) {
  if (!read_registers(asked.tid, held)) return false;
  held.stack_address = held.registers.sp();
  if (!held.is_32_bit) {
    held.stack_bytes = ProcessMemory{asked.pid}.read(held.stack_address, stack);
  }
  return true;
}

void ThreadHolder::collect(std::span<std::byte> stack, const Visit& visit) {
  for (std::size_t i = 0; i < asked_.size();) {
    const std::int64_t now = now_ns();
    int signal = 0;
    const Stop stop = check_stop(asked_[i], signal);
    if (stop == Stop::running) {
      asked_[i++].ran_ns = now;
      continue;
    }
    const Asked asked = asked_[i];
    asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(i));
    if (stop == Stop::ended) continue;
    HeldThread held;
    const bool copied = copy(asked, stack, held);
    call_ptrace(PTRACE_DETACH, asked.tid, 0, static_cast<std::uintptr_t>(signal));
    held.held_ns = now_ns() - asked.ran_ns;
    if (copied) visit(asked.tid, held);
  }
}

void ThreadHolder::collect_for(std::int64_t patience_ns, std::span<std::byte> stack,
                               const Visit& visit) {
  const std::int64_t until = now_ns() + patience_ns;
  collect(stack, visit);
  while (!asked_.empty() && now_ns() < until) {
    constexpr timespec kPause{0, 50'000};
    ::nanosleep(&kPause, nullptr);
    collect(stack, visit);
  }
}

}  // namespace hprof
