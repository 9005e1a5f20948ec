// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/proc_fs.h>

#include <cstdint>
#include <optional>

namespace hprof {

/// What this process may do here, as far as the kernel tells. Used by `doctor` and by the message
/// that explains which capture engine was taken.
struct Permissions {
  int perf_event_paranoid = 2;
  std::optional<int> kptr_restrict;
  std::optional<int> ptrace_scope;       ///< yama; absent: no yama, as 0
  std::optional<int> perf_mlock_kib;     ///< per CPU, for rings of those without CAP_IPC_LOCK
  std::optional<int> max_sample_rate;
  std::optional<int> unprivileged_bpf_disabled;
  int seccomp_mode = 0;                  ///< of this process: 0 off, 1 strict, 2 filter
  std::uint64_t effective_caps = 0;
  std::uint64_t memlock_bytes = 0;       ///< soft RLIMIT_MEMLOCK
  std::uint64_t nofile_soft = 0;
  std::uint64_t nofile_hard = 0;
  unsigned uid = 0;
  bool initial_pid_namespace = true;
  bool kernel_symbols = false;           ///< kallsyms shows addresses

  [[nodiscard]] bool has_cap(int capability) const { return (effective_caps >> capability & 1) != 0; }
  [[nodiscard]] bool perfmon() const;    ///< CAP_PERFMON or CAP_SYS_ADMIN
  [[nodiscard]] bool bpf() const;        ///< CAP_BPF and perfmon, or CAP_SYS_ADMIN
  [[nodiscard]] bool may_see_kernel() const;   ///< kernel frames in samples
  [[nodiscard]] bool may_watch_cpus() const;   ///< events that are not bound to a process
  /// "perf_event_paranoid 2, seccomp off, uid 1000, no CAP_PERFMON": for messages.
  [[nodiscard]] std::string sentence() const;
};

/// Never fails: what cannot be read keeps the careful default.
Permissions read_permissions(const ProcFs& proc);

/// Raises the soft limit of open files to the hard one. Returns the limit then.
std::uint64_t raise_open_file_limit();

}  // namespace hprof
