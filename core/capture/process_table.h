// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_record.h"

#include <hprof/core/target/module_registry.h>
#include <hprof/core/target/process_memory.h>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace hprof {

/// What is known of one followed process.
struct FollowedProcess {
  explicit FollowedProcess(int id) : pid(id), memory(id) {}

  int pid;
  std::string comm;  ///< of its main thread
  std::unordered_map<int, std::string> threads;  ///< names by tid, filled as they are needed
  AddressSpace space;
  ProcessMemory memory;
  bool leader_ended = false;
  bool waits_for_exec = false;  ///< still hprof's own image: not to be counted
  std::int64_t maps_read_ns = 0;  ///< when /proc/PID/maps was last read
};

/// The followed processes: their names and address spaces, kept right by records.
class ProcessTable {
 public:
  /// `follow_children`: forks of followed processes are followed too. `follow_all`: everyone.
  ProcessTable(ModuleRegistry& modules, bool follow_children, bool follow_all)
      : modules_(modules), follow_children_(follow_children), follow_all_(follow_all) {}

  /// Begins to follow a process, reading its names and maps; nothing happens if it is followed.
  FollowedProcess& follow(int pid, std::int64_t now_ns);
  /// The followed process, or nullptr. With follow_all, every pid above 0 is followed.
  FollowedProcess* find(int pid, std::int64_t now_ns);
  /// Reads names and maps again, for engines that have no records of changes.
  void refresh(int pid, std::int64_t now_ns);
  void forget(int pid) { processes_.erase(pid); }

  void on_mmap(const MmapRecord& record);
  void on_comm(const CommRecord& record);
  /// Returns the pid of a process that this record brought under our eyes, else 0.
  int on_fork(const TaskRecord& record, std::int64_t now_ns);
  void on_exit(const TaskRecord& record);

  /// The name of a thread; read from /proc once, then kept by records.
  const std::string& thread_name(FollowedProcess& process, int tid);
  /// Reads maps again for an address nobody told us of, at most ten times a second a process.
  const MappedRange* find_range(FollowedProcess& process, std::uint64_t address,
                                std::int64_t now_ns);

  [[nodiscard]] const std::unordered_map<int, std::unique_ptr<FollowedProcess>>& all() const {
    return processes_;
  }
  [[nodiscard]] std::uint32_t ever_followed() const { return ever_followed_; }

 private:
  void read_maps(FollowedProcess& process, std::int64_t now_ns);

  ModuleRegistry& modules_;
  bool follow_children_;
  bool follow_all_;
  std::unordered_map<int, std::unique_ptr<FollowedProcess>> processes_;
  std::uint32_t ever_followed_ = 0;
};

}  // namespace hprof
