// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/proc_fs.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hprof {

/// One thread with CPU time that no sample stands for yet.
struct BusyThread {
  int pid = 0;
  int tid = 0;
  std::int64_t unseen_ns = 0;
};

/// Tells which threads used CPU time since they were last looked at, from the kernel's account.
class ThreadTimes {
 public:
  explicit ThreadTimes(const ProcFs& proc) : proc_(proc) {}

  /// Threads that are here now start at zero; threads found later are counted from their birth.
  void begin(int pid);
  /// Threads of a process that are running right now and have unseen time.
  void find_busy(int pid, std::vector<BusyThread>& out);
  /// A sample has been taken for the time of a thread.
  void seen(const BusyThread& thread);
  void forget(int pid);

 private:
  struct Entry {
    int pid = 0;
    std::int64_t seen_ns = 0;
    std::uint64_t scan = 0;
  };
  [[nodiscard]] std::optional<std::int64_t> cpu_ns(int pid, int tid) const;
  [[nodiscard]] bool is_running(int pid, int tid) const;

  const ProcFs& proc_;
  std::unordered_map<int, Entry> threads_;
  std::unordered_map<int, std::int64_t> process_ns_;  ///< when last scanned
  std::uint64_t scan_ = 0;
};

}  // namespace hprof
