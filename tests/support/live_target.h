// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

namespace hprof::capture_test {

/// A forked child that does `work` and dies with the test.
class LiveTarget {
 public:
  explicit LiveTarget(const std::function<void()>& work) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
    ::_exit(0);
  }
  LiveTarget(const LiveTarget&) = delete;
  LiveTarget& operator=(const LiveTarget&) = delete;
  LiveTarget(LiveTarget&&) = delete;
  LiveTarget& operator=(LiveTarget&&) = delete;
  ~LiveTarget() { end(); }

  [[nodiscard]] int pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  /// Waits for its own end and returns the wait status.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  int pid_;
};

/// Becomes another program. Returns only if that is not possible.
inline void exec(const std::vector<std::string>& command) {
  std::vector<std::string> copy = command;
  std::vector<char*> arguments;
  for (std::string& a : copy) arguments.push_back(a.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
}

}  // namespace hprof::capture_test
