// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <map>
#include <vector>

namespace hprof {

/// Waits for whichever comes first: samples, the end of a target, a call from another thread.
class TargetWatch {
 public:
  Result<void> open();
  /// Also waits for `fd` to become readable; it stays the caller's.
  Result<void> add(int fd);
  /// Also waits for the end of a process, by a pidfd.
  void add_process(int pid);
  void remove_process(int pid);
  /// Waits at most `timeout_ms`.
  void wait(int timeout_ms);
  /// Whether the last wait() saw the end of a process.
  [[nodiscard]] bool has_ended(int pid) const;
  /// Ends a wait(). Any thread; async-signal-safe.
  void wake() const;

 private:
  UniqueFd epoll_;
  UniqueFd event_;
  std::map<int, UniqueFd> processes_;
  std::vector<int> readable_;
};

}  // namespace hprof
