// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture_setup.h"
#include "dump_signals.h"
#include "serve_part.h"
#include "terminal.h"

#include <hprof/core/services/capture_service.h>
#include <hprof/core/services/dump_service.h>
#include <hprof/core/services/sd_notify.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hprof::cli {

/// What a session does with what it captures.
struct SessionRoles {
  bool dump = false;
  bool serve = false;
};

/// One run of `hprof dump` or `hprof serve`, from the targets to the exit status: keeps a capture
/// for each target, feeds them to the dump service and to the HTTP server, and does what signals, the
/// clock and ended targets ask.
class CaptureSession {
 public:
  CaptureSession(Options& options, DumpSignals& signals, SessionRoles roles);
  ~CaptureSession();
  CaptureSession(const CaptureSession&) = delete;
  CaptureSession& operator=(const CaptureSession&) = delete;

  Result<int> run();

 private:
  struct Capture;

  Result<void> start_dump();
  Result<void> start_serve();
  [[nodiscard]] std::optional<std::chrono::nanoseconds> time_left() const;
  Result<void> attach_first();
  Result<void> attach(const ProcessInfo* process);
  Result<void> run_capture(Capture& capture);
  DumpTarget dump_target(Capture& capture);
  void let_go(Capture& capture);
  void watch();
  void drop_ended();
  void look_for_targets();
  void reload();
  void apply(std::shared_ptr<Options> fresh);
  void restart_captures();
  Result<int> finish();

  [[nodiscard]] bool follows_restarts() const;
  [[nodiscard]] std::string plan_sentence() const;
  [[nodiscard]] std::string dump_plan() const;
  [[nodiscard]] double rate_of(const Options& options) const;
  void heartbeat();
  void log(LogLevel level, std::string_view line);
  void count(const Capture& capture);

  Options& options_;
  DumpSignals& signals_;
  SessionRoles roles_;
  Terminal terminal_;
  std::mutex log_mutex_;
  SystemClock clock_;
  SystemdNotifier systemd_;
  std::atomic<std::int64_t> last_beat_ns_ = 0;
  std::unique_ptr<ProfileWriter> proto_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::unique_ptr<DumpService> dump_;   ///< null: no dump was asked for
  std::unique_ptr<ServePart> serve_;    ///< null: no server was asked for
  ChosenTargets targets_;
  std::vector<std::shared_ptr<Capture>> captures_;
  std::set<int> refused_;       ///< targets that could not be attached to, said once
  std::string select_trouble_;  ///< the last reason why no target could be chosen, said once
  bool stopping_ = false;
  std::int64_t began_ns_ = 0;
  std::uint64_t samples_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace hprof::cli
