// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture_setup.h"
#include "dump_signals.h"
#include "terminal.h"

#include <hprof/core/services/capture_service.h>
#include <hprof/core/services/dump_service.h>
#include <hprof/core/services/sd_notify.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hprof::cli {

/// One run of `hprof dump`, from the targets to the exit status: keeps a capture for each target,
/// feeds them to the dump service, and does what signals, the clock and ended targets ask.
class DumpSession {
 public:
  DumpSession(Options& options, DumpSignals& signals);
  ~DumpSession();
  DumpSession(const DumpSession&) = delete;
  DumpSession& operator=(const DumpSession&) = delete;

  Result<int> run();

 private:
  struct Capture;

  Result<void> start_service();
  Result<void> attach_first();
  Result<void> attach(const ProcessInfo* process);
  Result<void> run_capture(Capture& capture);
  void watch();
  void drop_ended();
  void look_for_targets();
  void reload();
  void apply(std::shared_ptr<Options> fresh);
  void restart_captures();
  Result<int> finish();

  [[nodiscard]] bool follows_restarts() const;
  [[nodiscard]] std::string plan_sentence() const;
  void heartbeat();
  void log(LogLevel level, std::string_view line);
  void count(const Capture& capture);

  Options& options_;
  DumpSignals& signals_;
  Terminal terminal_;
  std::mutex log_mutex_;
  SystemClock clock_;
  SystemdNotifier systemd_;
  std::atomic<std::int64_t> last_beat_ns_ = 0;
  std::unique_ptr<ProfileWriter> proto_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::unique_ptr<DumpService> service_;
  ChosenTargets targets_;
  std::vector<std::unique_ptr<Capture>> captures_;
  std::set<int> refused_;       ///< targets that could not be attached to, said once
  std::string select_trouble_;  ///< the last reason why no target could be chosen, said once
  bool stopping_ = false;
  std::int64_t began_ns_ = 0;
  std::uint64_t samples_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace hprof::cli
