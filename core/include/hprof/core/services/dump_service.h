// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/dump_engine.h>
#include <hprof/core/services/service.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace hprof {

/// Keeps a rolling history of profiles in a folder. All functions may be called from any thread;
/// those that write take as long as the writing takes.
class DumpService final : public Service {
 public:
  struct Parts {
    const Clock* clock = nullptr;       ///< borrowed
    DumpFormats formats;                ///< borrowed
    Symbolizer* symbolizer = nullptr;   ///< borrowed, may be null
    Log log;
    /// Called at least every `heartbeat_period` while the thread is well, also in long work.
    std::function<void()> heartbeat;
    /// Whether windows shall be written without waiting for names; asked while they are looked up.
    std::function<bool()> hurry;
    std::chrono::nanoseconds heartbeat_period = std::chrono::seconds{1};
  };

  DumpService(DumpConfig config, Parts parts);
  ~DumpService() override;

  [[nodiscard]] std::string name() const override { return "dump"; }
  /// Makes the folder and begins. Errors: a configuration that makes no sense, the folder cannot be
  /// made or written.
  Result<void> start() override;
  /// Ends the schedule, then writes the last windows of all targets and forgets them.
  Result<void> stop() override;
  [[nodiscard]] ServiceState state() const override;
  [[nodiscard]] std::string status() const override;

  /// See DumpEngine. Targets are added once the service runs.
  Result<void> add_target(DumpTarget target);
  Result<void> remove_target(int pid);
  void forget_target(int pid);
  Result<void> configure(DumpConfig config);
  void cut_now();
  [[nodiscard]] DumpStatus dump_status() const;

 private:
  void run();

  Parts parts_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  DumpConfig first_config_;
  DumpEngine engine_;
  std::thread thread_;
  bool stopping_ = false;
  ServiceState state_ = ServiceState::stopped;
};

}  // namespace hprof
