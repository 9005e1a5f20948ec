// SPDX-License-Identifier: Apache-2.0
#include "capture_session.h"

#include "dump_kinds.h"
#include "dump_setup.h"
#include "json_object.h"
#include "units.h"

#include <hprof/formats/pprof.h>

#include <fmt/format.h>

#include <poll.h>

#include <algorithm>

namespace hprof::cli {
namespace {

constexpr std::chrono::milliseconds kLookAround{1000};

}  // namespace

/// One target and the sampler that watches it.
struct CaptureSession::Capture {
  int pid = 0;
  std::string name;
  SamplerTargets targets;
  std::unique_ptr<Unwinder> unwinder;
  std::unique_ptr<CaptureService> service;
};

CaptureSession::CaptureSession(Options& options, DumpSignals& signals, SessionRoles roles)
    : options_(options),
      signals_(signals),
      roles_(roles),
      terminal_(options.output, process_environment()),
      systemd_(SystemdNotifier::from_environment()),
      proto_(std::make_unique<formats::PprofWriter>()) {}

CaptureSession::~CaptureSession() = default;

void CaptureSession::log(LogLevel level, std::string_view line) {
  const std::lock_guard lock{log_mutex_};
  if (level == LogLevel::info) {
    terminal_.say(line);
  } else {
    terminal_.warn(line);
  }
}

/// Tells systemd's watchdog that the service still turns; called often, sends seldom.
void CaptureSession::heartbeat() {
  const auto period = systemd_.watchdog_period();
  if (!period) return;
  const std::int64_t now = clock_.monotonic_ns();
  if (now - last_beat_ns_ < period->count()) return;
  last_beat_ns_ = now;
  systemd_.send("WATCHDOG=1");
}

Result<void> CaptureSession::start_dump() {
  HPROF_ASSIGN(DumpConfig config, dump_config_of(options_));
  if (!options_.symbols.no_symbols) symbolizer_ = symbolizer_for(options_);
  DumpService::Parts parts;
  parts.clock = &clock_;
  parts.formats.proto = proto_.get();
  parts.symbolizer = symbolizer_.get();
  parts.log = [this](LogLevel level, std::string_view line) { log(level, line); };
  parts.heartbeat = [this] { heartbeat(); };
  parts.hurry = [this] { return signals_.stops() > 1; };
  if (const auto period = systemd_.watchdog_period()) {
    parts.heartbeat_period = std::min<std::chrono::nanoseconds>(*period / 2, kLookAround);
  }
  dump_ = std::make_unique<DumpService>(std::move(config), std::move(parts));
  return dump_->start();
}

Result<void> CaptureSession::start_serve() {
  HPROF_ASSIGN(serve_, ServePart::open(options_, symbolizer_for(options_),
                                       [this](LogLevel level, std::string_view line) {
                                         log(level, line);
                                       }));
  return serve_->start();
}

/// One capture serves all: the rate is that of the more demanding reader.
double CaptureSession::rate_of(const Options& options) const {
  if (!roles_.serve) return options.dump.rate;
  return roles_.dump ? std::max(options.dump.rate, options.capture.rate) : options.capture.rate;
}

bool CaptureSession::follows_restarts() const {
  const TargetOptions& target = options_.target;
  return !target.name.empty() || !target.unit.empty() || !target.cgroup.empty() ||
         !target.pidfile.empty();
}

std::string CaptureSession::plan_sentence() const {
  std::string plan;
  if (serve_) plan = fmt::format("{} for {}", serve_->url(), format_duration(options_.serve.duration));
  if (!dump_) return plan;
  return fmt::format("{}{}{}", plan, plan.empty() ? "" : "; ", dump_plan());
}

std::string CaptureSession::dump_plan() const {
  std::string kinds;
  const Result<DumpConfig> config = dump_config_of(options_);
  if (!config) return config.error().message;
  for (const DumpKind& kind : config->kinds) {
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind.kind,
                         kind.interval.count() == 0
                             ? "once at the end"
                             : fmt::format("every {}", format_duration(kind.interval)));
  }
  return fmt::format("{}, to {}", kinds, options_.dump.folder);
}

/// Opens a sampler for `capture` and hands its windows to the dump service.
Result<void> CaptureSession::run_capture(Capture& capture) {
  HPROF_ASSIGN(const SamplerOptions engine, sampler_options(options_));
  capture.unwinder = unwinder_for(options_.capture);
  auto store = std::make_shared<SampleStore>(CpuSampler::store_options(engine));
  HPROF_ASSIGN(std::unique_ptr<CpuSampler> sampler,
               CpuSampler::open(engine, capture.targets, *capture.unwinder, store));
  capture.service = std::make_unique<CaptureService>(
      fmt::format("capture {}", capture.pid), std::move(sampler), std::move(store),
      [this] { signals_.wake(); },
      [this](LogLevel level, std::string_view line) { log(level, line); });
  // The cursors first: the first sample belongs to the first window.
  if (dump_) HPROF_TRY(dump_->add_target(dump_target(capture)));
  const Result<void> started = capture.service->start();
  // An empty window of a target that never ran is no history.
  if (!started && dump_) dump_->forget_target(capture.pid);
  return started;
}

DumpTarget CaptureSession::dump_target(Capture& capture) {
  DumpTarget target;
  target.pid = capture.pid;
  target.name = capture.name;
  target.open_source = [&capture](const std::string& kind) {
    return open_dump_source(kind, {capture.pid, *capture.service});
  };
  return target;
}

Result<void> CaptureSession::attach(const ProcessInfo* process) {
  auto capture = std::make_shared<Capture>();
  capture->targets = targets_.for_sampler();
  if (process != nullptr) {
    capture->pid = process->pid;
    capture->name = process->name();
    capture->targets.pids = {process->pid};
  } else if (targets_.command) {
    capture->pid = targets_.command->pid();
    capture->name = targets_.command_name;
  } else {
    capture->name = "the whole system";
  }
  HPROF_TRY(run_capture(*capture));
  log(LogLevel::info,
      fmt::format("{}: {}; {}",
                  capture->pid == 0 ? capture->name
                                    : fmt::format("{} ({})", capture->pid, capture->name),
                  plan_sentence(), capture->service->sampler().report().sentence()));
  // The server's requests keep what they read alive: the capture with its unwinder.
  if (serve_) serve_->add(capture->pid, capture->name, {capture, capture->service.get()});
  captures_.push_back(std::move(capture));
  return {};
}

Result<void> CaptureSession::attach_first() {
  HPROF_ASSIGN(targets_, choose_targets(options_.target, [this] {
                 stopping_ = stopping_ || signals_.take().stop;
                 return stopping_;
               }));
  if (targets_.command || targets_.system) return attach(nullptr);
  for (const ProcessInfo& process : targets_.processes) {
    const Result<void> done = attach(&process);
    if (done) continue;
    // Of several targets one may just have ended; of one, that is the answer.
    if (targets_.processes.size() == 1) return done;
    log(LogLevel::warning, done.error().message);
    refused_.insert(process.pid);
  }
  if (!captures_.empty()) return {};
  return Error{ErrorKind::target_gone, "none of the targets can be profiled", {}};
}

void CaptureSession::count(const Capture& capture) {
  const SamplerStats stats = capture.service->sampler().stats();
  samples_ += stats.samples;
  lost_ += stats.lost;
}

/// The last windows of a capture are written, and nobody reads it any more.
void CaptureSession::let_go(Capture& capture) {
  if (serve_) serve_->ended(capture.pid);
  if (!dump_) return;
  if (const Result<void> done = dump_->remove_target(capture.pid); !done) {
    log(LogLevel::error, done.error().message);
  }
}

/// Targets that have ended: their last windows are written.
void CaptureSession::drop_ended() {
  for (auto at = captures_.begin(); at != captures_.end();) {
    Capture& capture = **at;
    if (!capture.service->ended()) {
      ++at;
      continue;
    }
    log(LogLevel::info, fmt::format("{} ({}) has ended", capture.pid, capture.name));
    let_go(capture);
    count(capture);
    at = captures_.erase(at);
  }
  if (targets_.command) targets_.command->try_wait();
}

/// A named target may have been started again, or have company.
void CaptureSession::look_for_targets() {
  // Where one process is meant, a second one of that name is not it.
  const bool one = !options_.target.name.empty() && !options_.target.all_matches;
  if (!follows_restarts() || (one && !captures_.empty())) return;
  TargetOptions now = options_.target;
  now.wait.reset();
  Result<ChosenTargets> chosen = choose_targets(now, {});
  if (!chosen) {
    const Error& why = chosen.error();
    if (why.kind != ErrorKind::target_gone && why.message != select_trouble_) {
      log(LogLevel::warning, why.message);
      select_trouble_ = why.message;
    }
    return;
  }
  select_trouble_.clear();
  for (const ProcessInfo& process : chosen->processes) {
    const bool known = std::ranges::any_of(
        captures_, [&process](const auto& capture) { return capture->pid == process.pid; });
    if (known || refused_.contains(process.pid)) continue;
    if (const Result<void> done = attach(&process); !done) {
      refused_.insert(process.pid);
      if (done.error().kind != ErrorKind::target_gone) {
        log(LogLevel::warning, done.error().message);
      }
    }
  }
}

/// Samplers cannot change; new ones take over where the old ones end.
void CaptureSession::restart_captures() {
  for (auto at = captures_.begin(); at != captures_.end();) {
    Capture& capture = **at;
    let_go(capture);
    if (const Result<void> done = capture.service->stop(); !done) {
      log(LogLevel::error, done.error().message);
    }
    count(capture);
    // The command was let go long ago; from now on it is a process like any other.
    if (capture.targets.command != nullptr) {
      capture.targets.pids = {capture.pid};
      capture.targets.command = nullptr;
    }
    capture.service.reset();
    const Result<void> again = run_capture(capture);
    if (!again) log(LogLevel::error, again.error().message);
    at = again ? at + 1 : captures_.erase(at);
  }
}

void CaptureSession::apply(std::shared_ptr<Options> fresh) {
  const Result<DumpConfig> config = dump_config_of(*fresh);
  if (!config) return log(LogLevel::error, fmt::format("not reloaded: {}", config.error().message));
  if (const Result<void> done = dump_->configure(*config); !done) {
    return log(LogLevel::error, fmt::format("not reloaded: {}", done.error().message));
  }
  const double rate = rate_of(*fresh);
  const bool other_rate = rate != options_.capture.rate;
  options_.dump = fresh->dump;
  options_.capture.rate = rate;
  if (other_rate) restart_captures();
  log(LogLevel::info, fmt::format("reloaded: {}", plan_sentence()));
}

void CaptureSession::reload() {
  systemd_.send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", clock_.monotonic_ns() / 1000));
  if (options_.reload) {
    Result<std::shared_ptr<Options>> fresh = options_.reload();
    if (fresh) {
      apply(*std::move(fresh));
    } else {
      log(LogLevel::error, fmt::format("not reloaded: {}", fresh.error().message));
    }
  }
  systemd_.send("READY=1");
}

std::optional<std::chrono::nanoseconds> CaptureSession::time_left() const {
  std::optional<std::chrono::nanoseconds> whole = options_.dump.duration;
  if (roles_.serve && options_.serve.duration > 0s) whole = options_.serve.duration;
  if (!whole) return std::nullopt;
  return *whole - std::chrono::nanoseconds{clock_.monotonic_ns() - began_ns_};
}

void CaptureSession::watch() {
  while (!stopping_ && (!captures_.empty() || follows_restarts())) {
    std::chrono::nanoseconds pause = kLookAround;
    if (const auto left = time_left()) {
      if (*left <= std::chrono::nanoseconds{0}) return;
      pause = std::min(pause, *left);
    }
    pollfd ready{signals_.fd(), POLLIN, 0};
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(pause);
    ::poll(&ready, 1, static_cast<int>(ms.count()));
    const DumpRequests requests = signals_.take();
    stopping_ = stopping_ || requests.stop;
    if (stopping_) return;
    drop_ended();
    if (requests.reload) reload();
    if (requests.cut && dump_) dump_->cut_now();
    look_for_targets();
    if (dump_) systemd_.send(fmt::format("STATUS={}", dump_->status()));
  }
}

Result<int> CaptureSession::finish() {
  systemd_.send("STOPPING=1");
  if (serve_) serve_->stop();
  Result<void> done = dump_ ? dump_->stop() : Result<void>{};
  for (const auto& capture : captures_) {
    if (const Result<void> stopped = capture->service->stop(); !stopped && done) done = stopped;
    count(*capture);
  }
  const DumpStatus status = dump_ ? dump_->dump_status() : DumpStatus{};
  const double seconds =
      began_ns_ == 0 ? 0 : static_cast<double>(clock_.monotonic_ns() - began_ns_) / 1e9;
  if (options_.output.json) {
    JsonObject summary;
    if (dump_) {
      summary.add("folder", status.folder);
      summary.add("files", status.files_written);
      summary.add("removed", status.files_removed);
      summary.add("last_error", status.last_error);
    }
    summary.add("samples", samples_);
    summary.add("lost", lost_);
    summary.add("duration_s", seconds);
    HPROF_TRY(write_stdout(summary.text() + "\n"));
  }
  log(LogLevel::info, fmt::format("{}{} samples, {} lost",
                                  dump_ ? fmt::format("{} files written to {}, ",
                                                      status.files_written, status.folder)
                                        : std::string{},
                                  samples_, lost_));
  HPROF_TRY(done);
  return 0;
}

Result<int> CaptureSession::run() {
  options_.capture.rate = rate_of(options_);
  HPROF_TRY(sampler_options(options_));
  if (roles_.dump) HPROF_TRY(start_dump());
  if (roles_.serve) HPROF_TRY(start_serve());
  // A service manager need not wait for a target that may come later.
  if (options_.target.wait) systemd_.send("READY=1\nSTATUS=waiting for the target");
  const Result<void> attached = attach_first();
  if (!attached) {
    if (stopping_) return finish();
    return attached.error();
  }
  began_ns_ = clock_.monotonic_ns();
  systemd_.send("READY=1");
  watch();
  return finish();
}

}  // namespace hprof::cli
