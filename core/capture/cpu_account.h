// SPDX-License-Identifier: Apache-2.0
#pragma once


#include <hprof/core/target/proc_fs.h>

#include <optional>
#include <unordered_map>

namespace hprof {

/// The CPU time that the kernel has charged to a process in its life, threads that ended included,
/// in ns; nothing if it is gone. Exact where the process is in our pid namespace, else by ticks.
std::optional<std::int64_t> process_cpu_ns(const ProcFs& proc, int pid);
/// The same for the children it has waited for. Resolution: a clock tick (10 ms).
std::int64_t children_cpu_ns(const ProcFs& proc, int pid);

/// Adds up what the followed processes were charged since they were first seen here. With
/// `children`, what an ended child used is found with the parent that waited for it.
class CpuAccount {
 public:
  CpuAccount(const ProcFs& proc, bool children) : proc_(proc), children_(children) {}

  /// A process whose time counts from now on, or all of its life if it is a fork we followed.
  void add(int pid, bool from_birth);
  [[nodiscard]] bool knows(int pid) const { return entries_.contains(pid); }
  /// Looks at every process again; those that ended keep the last value.
  void refresh();
  [[nodiscard]] std::int64_t total_ns() const;

 private:
  struct Entry {
    std::int64_t base = 0;
    std::int64_t last = 0;
    bool is_fork = false;
  };
  [[nodiscard]] std::optional<std::int64_t> read(int pid) const;

  const ProcFs& proc_;
  bool children_;
  std::unordered_map<int, Entry> entries_;
  std::int64_t ended_ns_ = 0;
};

}  // namespace hprof
