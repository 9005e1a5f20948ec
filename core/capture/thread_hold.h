// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/capture/unwinder.h>

#include <functional>
#include <span>
#include <vector>

namespace hprof {

/// What a thread looked like in the moment it was held.
struct HeldThread {
  UserRegisters registers;
  bool is_32_bit = false;
  std::uint64_t stack_address = 0;
  std::size_t stack_bytes = 0;  ///< copied into the caller's buffer
  std::int64_t held_ns = 0;     ///< an upper bound of how long it stood still
};

/// Short stops of threads by PTRACE_SEIZE and PTRACE_INTERRUPT: no signal is sent, a signal that
/// arrives meanwhile is passed on, and if hprof is killed the kernel lets the threads go on.
/// All calls must come from one thread. Source: ptrace(2).
class ThreadHolder {
 public:
  using Visit = std::function<void(int tid, const HeldThread& held)>;

  ThreadHolder() = default;
  ThreadHolder(const ThreadHolder&) = delete;
  ThreadHolder& operator=(const ThreadHolder&) = delete;
  ThreadHolder(ThreadHolder&&) = delete;
  ThreadHolder& operator=(ThreadHolder&&) = delete;
  /// Waits for the threads that were asked to stop, and lets them go.
  ~ThreadHolder();

  /// Asks a thread to stop. One that waits for a CPU stops when it gets one.
  /// `reap`: the status of its end may be taken (false for a child of ours that others wait for).
  /// Errors: permission (ptrace forbidden, or traced by another), target_gone.
  Result<void> ask(int pid, int tid, bool reap);
  /// Copies registers and stack (from the stack pointer up, into `stack`) of each thread that has
  /// stopped since, lets it go, and then gives the copy to `visit`. Does not wait.
  void collect(std::span<std::byte> stack, const Visit& visit);
  /// collect() again and again for at most `patience_ns`, until every thread has stopped.
  void collect_for(std::int64_t patience_ns, std::span<std::byte> stack, const Visit& visit);

  /// Threads that were asked and have not stopped yet.
  [[nodiscard]] std::size_t pending() const { return asked_.size(); }

 private:
  enum class Stop : std::uint8_t { stopped, running, ended };
  struct Asked {
    int pid = 0;
    int tid = 0;
    bool reap = false;
    std::int64_t ran_ns = 0;  ///< when it was last known to run
  };
  static Stop check_stop(const Asked& asked, int& signal);
  static bool copy(const Asked& asked, std::span<std::byte> stack, HeldThread& held);

  std::vector<Asked> asked_;
};

}  // namespace hprof
