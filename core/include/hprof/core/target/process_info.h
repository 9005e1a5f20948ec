// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/proc_fs.h>

#include <cstdint>

namespace hprof {

/// What /proc tells about one process or thread.
struct ProcessInfo {
  int pid = 0;
  int tgid = 0;
  int parent = 0;
  std::string comm;     ///< at most 15 bytes
  std::string exe;      ///< path without " (deleted)"; empty for kernel threads or when forbidden
  bool exe_deleted = false;
  char state = '?';     ///< R S D T t Z X I
  unsigned uid = 0;     ///< effective
  std::vector<int> ns_pids;  ///< NSpid: outermost namespace (ours) first
  unsigned threads = 0;
  bool kernel_thread = false;
  bool is_32_bit = false;
  std::uint64_t start_ticks = 0;  ///< since boot; together with pid it is an identity
  std::uint64_t user_ticks = 0;   ///< of all threads, those gone included
  std::uint64_t system_ticks = 0;
  std::uint64_t children_ticks = 0;  ///< user and system time of the children waited for

  /// Ended, but not yet waited for. A main thread that ended before the others is none.
  [[nodiscard]] bool zombie() const { return state == 'X' || (state == 'Z' && threads <= 1); }
  /// Base name of exe, else comm: what people call the program.
  [[nodiscard]] std::string name() const;
};

/// Reads a process (or thread: its id works in /proc too).
/// Errors: target_gone if there is none; zombies are returned, see zombie().
Result<ProcessInfo> read_process(const ProcFs& proc, int pid);

/// As read_process, and refuses what cannot be profiled: zombie -> target_gone "4242 (x) has ended
/// and waits for its parent".
Result<ProcessInfo> read_target(const ProcFs& proc, int pid);

/// Whether the process runs, by one read of its stat file.
bool is_alive(const ProcFs& proc, int pid);

/// The name of one thread, or empty.
std::string read_thread_name(const ProcFs& proc, int pid, int tid);

/// Fills the fields that /proc/PID/stat has. Returns false if the text is malformed.
bool parse_stat(std::string_view text, ProcessInfo& info);

}  // namespace hprof
