// SPDX-License-Identifier: Apache-2.0
#include "dump_session.h"

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
struct DumpSession::Capture {
  int pid = 0;
  std::string name;
  SamplerTargets targets;
  std::unique_ptr<Unwinder> unwinder;
  std::unique_ptr<CaptureService> service;
};

DumpSession::DumpSession(Options& options, DumpSignals& signals)
    : options_(options),
      signals_(signals),
      terminal_(options.output, process_environment()),
      systemd_(SystemdNotifier::from_environment()),
      proto_(std::make_unique<formats::PprofWriter>()) {}

DumpSession::~DumpSession() = default;

void DumpSession::log(LogLevel level, std::string_view line) {
  const std::lock_guard lock{log_mutex_};
  if (level == LogLevel::info) {
    terminal_.say(line);
  } else {
    terminal_.warn(line);
  }
}

/// Tells systemd's watchdog that the service still turns; called often, sends seldom.
void DumpSession::heartbeat() {
  const auto period = systemd_.watchdog_period();
  if (!period) return;
  const std::int64_t now = clock_.monotonic_ns();
  if (now - last_beat_ns_ < period->count()) return;
  last_beat_ns_ = now;
  systemd_.send("WATCHDOG=1");
}

Result<void> DumpSession::start_service() {
  HPROF_ASSIGN(DumpConfig config, dump_config_of(options_));
  options_.capture.rate = options_.dump.rate;
  HPROF_TRY(sampler_options(options_));
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
  service_ = std::make_unique<DumpService>(std::move(config), std::move(parts));
  return service_->start();
}

bool DumpSession::follows_restarts() const {
  const TargetOptions& target = options_.target;
  return !target.name.empty() || !target.unit.empty() || !target.cgroup.empty() ||
         !target.pidfile.empty();
}

std::string DumpSession::plan_sentence() const {
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
Result<void> DumpSession::run_capture(Capture& capture) {
  HPROF_ASSIGN(const SamplerOptions engine, sampler_options(options_));
  capture.unwinder = unwinder_for(options_.capture);
  auto store = std::make_shared<SampleStore>(CpuSampler::store_options(engine));
  HPROF_ASSIGN(std::unique_ptr<CpuSampler> sampler,
               CpuSampler::open(engine, capture.targets, *capture.unwinder, store));
  capture.service = std::make_unique<CaptureService>(
      fmt::format("capture {}", capture.pid), std::move(sampler), std::move(store),
      [this] { signals_.wake(); },
      [this](LogLevel level, std::string_view line) { log(level, line); });
  DumpTarget target;
  target.pid = capture.pid;
  target.name = capture.name;
  target.open_source = [&capture](const std::string& kind) {
    return open_dump_source(kind, {capture.pid, *capture.service});
  };
  // The cursors first: the first sample belongs to the first window.
  HPROF_TRY(service_->add_target(std::move(target)));
  const Result<void> started = capture.service->start();
  if (started) return {};
  // An empty window of a target that never ran is no history.
  service_->forget_target(capture.pid);
  return started;
}

Result<void> DumpSession::attach(const ProcessInfo* process) {
  auto capture = std::make_unique<Capture>();
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
  captures_.push_back(std::move(capture));
  return {};
}

Result<void> DumpSession::attach_first() {
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

void DumpSession::count(const Capture& capture) {
  const SamplerStats stats = capture.service->sampler().stats();
  samples_ += stats.samples;
  lost_ += stats.lost;
}

/// Targets that have ended: their last windows are written.
void DumpSession::drop_ended() {
  for (auto at = captures_.begin(); at != captures_.end();) {
    Capture& capture = **at;
    if (!capture.service->ended()) {
      ++at;
      continue;
    }
    log(LogLevel::info, fmt::format("{} ({}) has ended", capture.pid, capture.name));
    if (const Result<void> done = service_->remove_target(capture.pid); !done) {
      log(LogLevel::error, done.error().message);
    }
    count(capture);
    at = captures_.erase(at);
  }
  if (targets_.command) targets_.command->try_wait();
}

/// A named target may have been started again, or have company.
void DumpSession::look_for_targets() {
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
void DumpSession::restart_captures() {
  for (auto at = captures_.begin(); at != captures_.end();) {
    Capture& capture = **at;
    if (const Result<void> done = service_->remove_target(capture.pid); !done) {
      log(LogLevel::error, done.error().message);
    }
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

void DumpSession::apply(std::shared_ptr<Options> fresh) {
  const Result<DumpConfig> config = dump_config_of(*fresh);
  if (!config) return log(LogLevel::error, fmt::format("not reloaded: {}", config.error().message));
  if (const Result<void> done = service_->configure(*config); !done) {
    return log(LogLevel::error, fmt::format("not reloaded: {}", done.error().message));
  }
  const bool other_rate = fresh->dump.rate != options_.dump.rate;
  options_.dump = fresh->dump;
  options_.capture.rate = options_.dump.rate;
  if (other_rate) restart_captures();
  log(LogLevel::info, fmt::format("reloaded: {}", plan_sentence()));
}

void DumpSession::reload() {
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

void DumpSession::watch() {
  while (!stopping_ && (!captures_.empty() || follows_restarts())) {
    std::chrono::nanoseconds pause = kLookAround;
    if (options_.dump.duration) {
      const std::chrono::nanoseconds left =
          *options_.dump.duration - std::chrono::nanoseconds{clock_.monotonic_ns() - began_ns_};
      if (left <= std::chrono::nanoseconds{0}) return;
      pause = std::min(pause, left);
    }
    pollfd ready{signals_.fd(), POLLIN, 0};
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(pause);
    ::poll(&ready, 1, static_cast<int>(ms.count()));
    const DumpRequests requests = signals_.take();
    stopping_ = stopping_ || requests.stop;
    if (stopping_) return;
    drop_ended();
    if (requests.reload) reload();
    if (requests.cut) service_->cut_now();
    look_for_targets();
    systemd_.send(fmt::format("STATUS={}", service_->status()));
  }
}

Result<int> DumpSession::finish() {
  systemd_.send("STOPPING=1");
  Result<void> done = service_->stop();
  for (const auto& capture : captures_) {
    if (const Result<void> stopped = capture->service->stop(); !stopped && done) done = stopped;
    count(*capture);
  }
  const DumpStatus status = service_->dump_status();
  const double seconds =
      began_ns_ == 0 ? 0 : static_cast<double>(clock_.monotonic_ns() - began_ns_) / 1e9;
  if (options_.output.json) {
    JsonObject summary;
    summary.add("folder", status.folder);
    summary.add("files", status.files_written);
    summary.add("removed", status.files_removed);
    summary.add("samples", samples_);
    summary.add("lost", lost_);
    summary.add("duration_s", seconds);
    summary.add("last_error", status.last_error);
    HPROF_TRY(write_stdout(summary.text() + "\n"));
  }
  log(LogLevel::info, fmt::format("{} files written to {}, {} samples, {} lost",
                                  status.files_written, status.folder, samples_, lost_));
  HPROF_TRY(done);
  return 0;
}

Result<int> DumpSession::run() {
  HPROF_TRY(start_service());
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
