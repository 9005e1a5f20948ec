// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A command that is forked and waits, before its exec, until release(): so that events can be
/// attached first. Waiting is a read from a pipe, never a stop signal. If this object (or hprof)
/// goes before release(), the child exits without running anything; afterwards it lives on.
class LaunchedCommand {
 public:
  /// Forks. The child keeps our stdin, stdout, stderr, process group and signal defaults.
  /// Errors: usage for an empty command; what fork(2) says.
  static Result<LaunchedCommand> prepare(const std::vector<std::string>& command);

  LaunchedCommand(LaunchedCommand&& other) noexcept;
  LaunchedCommand& operator=(LaunchedCommand&& other) noexcept;
  LaunchedCommand(const LaunchedCommand&) = delete;
  LaunchedCommand& operator=(const LaunchedCommand&) = delete;
  ~LaunchedCommand();

  [[nodiscard]] int pid() const { return pid_; }
  /// Lets the child exec. Errors: failed, with the reason, if the program cannot be run.
  Result<void> release();
  /// The wait status once it has ended (it is reaped then), else nothing. Never blocks.
  std::optional<int> try_wait();
  /// The exit code a shell would give: status, or 128 + signal. Only after it has ended.
  [[nodiscard]] static int shell_status(int wait_status);
  /// User and system time of the command and the children it waited for, once it is reaped.
  [[nodiscard]] std::int64_t cpu_ns() const { return cpu_ns_; }

 private:
  LaunchedCommand(int pid, UniqueFd go, UniqueFd error, std::string name)
      : pid_(pid), go_(std::move(go)), error_(std::move(error)), name_(std::move(name)) {}

  int pid_ = -1;
  UniqueFd go_;
  UniqueFd error_;
  std::string name_;
  std::optional<int> status_;
  std::int64_t cpu_ns_ = 0;
};

}  // namespace hprof
