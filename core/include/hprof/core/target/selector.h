// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/process_info.h>

#include <chrono>
#include <functional>
#include <optional>
#include <span>

namespace hprof {

/// How a user names processes. Exactly one way may be set. Source: SPEC.md section 2, targets.
struct TargetSpec {
  std::vector<std::string> pids{};  ///< "12" or "12,13"
  std::string name{};               ///< exact comm or base name of the executable
  std::string cgroup{};             ///< a folder below the cgroup file system, or a path to one
  std::string unit{};               ///< a systemd unit; ".service" may be left out
  std::string pidfile{};
  bool all_matches = false;         ///< several matches of `name` are fine
};

/// Where things are looked up; tests point it elsewhere.
struct SelectorRoots {
  ProcFs proc{};
  std::string cgroup_root = "/sys/fs/cgroup";
};

/// The processes a spec names now, ascending; never this process itself for name, cgroup or unit.
/// Errors: usage (nothing or more than one way given, not a number, several matches: the message
/// lists them), target_gone (none), permission.
Result<std::vector<ProcessInfo>> select_targets(const SelectorRoots& roots, const TargetSpec& spec);

/// Waits until select_targets finds something: `patience` 0 waits for ever. `cancelled` is asked
/// between two looks (every 20 ms at first, then every 200 ms).
/// Errors: target_gone after `patience` or when cancelled; others as select_targets at once.
Result<std::vector<ProcessInfo>> wait_for_targets(const SelectorRoots& roots,
                                                  const TargetSpec& spec,
                                                  std::chrono::nanoseconds patience,
                                                  const std::function<bool()>& cancelled);

/// The processes of a cgroup (v2, or any v1 hierarchy) and of the cgroups below it.
/// `path` is absolute, or relative to `cgroup_root`, where v1 hierarchies and "unified" are tried.
Result<std::vector<int>> cgroup_pids(const std::string& cgroup_root, const std::string& path);

}  // namespace hprof
