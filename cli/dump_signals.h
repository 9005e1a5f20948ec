// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <signal.h>

#include <memory>
#include <vector>

namespace hprof::cli {

/// What signals have asked of a long-running command since the last look.
struct DumpRequests {
  bool stop = false;    ///< SIGINT, SIGTERM
  bool reload = false;  ///< SIGHUP
  bool cut = false;     ///< SIGUSR1
};

/// Turns signals into requests as long as it lives. The handlers only write an eventfd. One at a
/// time in a process.
class DumpSignals {
 public:
  /// Errors: no descriptor left.
  static Result<std::unique_ptr<DumpSignals>> install();
  ~DumpSignals();
  DumpSignals(const DumpSignals&) = delete;
  DumpSignals& operator=(const DumpSignals&) = delete;

  /// Takes what came; each request once, however often its signal was sent.
  DumpRequests take();
  /// Readable once a signal came; for poll(2).
  [[nodiscard]] int fd() const { return event_.get(); }
  /// How often it was told to stop: once, and it writes; twice, and it does not wait for names. A
  /// third time ends the process at once, with exit code 1 and without a file half written.
  [[nodiscard]] static int stops();
  /// Makes fd() readable, so that who waits for it looks around. Any thread.
  void wake() const;

 private:
  struct Saved {
    int signal;
    struct sigaction action;
  };
  explicit DumpSignals(UniqueFd event) : event_(std::move(event)) {}

  UniqueFd event_;
  std::vector<Saved> saved_;
};

}  // namespace hprof::cli
