// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace hprof::cli {

/// How urgently the user wants it to end. Source: SPEC.md section 2, "Ctrl-C".
enum class StopStage {
  run,      ///< nothing asked
  finish,   ///< once: stop and write
  hurry,    ///< twice: write now, without waiting for symbols
  abandon,  ///< three times: give up, leave no file
};

/// Turns SIGINT, SIGTERM and SIGHUP into stages as long as it lives. The handlers only write an
/// eventfd; whoever works asks stage() now and then. One at a time in a process.
class StopSignals {
 public:
  /// Errors: no descriptor left.
  static Result<std::unique_ptr<StopSignals>> install();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Any thread.
  [[nodiscard]] StopStage stage();
  [[nodiscard]] bool at_least(StopStage wanted) { return stage() >= wanted; }
  /// Readable once a signal came; for poll(2).
  [[nodiscard]] int fd() const { return event_.get(); }
  /// Whether a signal came from the keyboard, so that every process of the terminal got it.
  [[nodiscard]] bool from_keyboard();

 private:
  struct Saved {
    int signal;
    struct sigaction action;
  };
  explicit StopSignals(UniqueFd event) : event_(std::move(event)) {}
  void collect();

  UniqueFd event_;
  std::vector<Saved> saved_;
  std::atomic<std::uint64_t> count_{0};
  std::atomic<bool> keyboard_{false};
};

}  // namespace hprof::cli
