// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/dump_service.h>

#include <fmt/format.h>

#include <algorithm>

namespace hprof {

DumpService::DumpService(DumpConfig config, Parts parts)
    : parts_(std::move(parts)),
      first_config_(std::move(config)),
      engine_(*parts_.clock, parts_.formats, parts_.symbolizer, parts_.log,
              {parts_.heartbeat, parts_.hurry}) {}

DumpService::~DumpService() {
  if (const Result<void> done = stop(); !done) {
    log_line(parts_.log, LogLevel::error, done.error().message);
  }
}

Result<void> DumpService::start() {
  const std::lock_guard lock{mutex_};
  if (state_ == ServiceState::running) return {};
  HPROF_TRY(engine_.configure(first_config_));
  stopping_ = false;
  state_ = ServiceState::running;
  thread_ = std::thread{[this] { run(); }};
  return {};
}

void DumpService::run() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    if (parts_.heartbeat) parts_.heartbeat();
    engine_.run_due();
    std::chrono::nanoseconds pause = parts_.heartbeat_period;
    if (const auto due = engine_.next_due_ns()) {
      pause = std::min(pause, std::chrono::nanoseconds{*due - parts_.clock->monotonic_ns()});
    }
    if (pause > std::chrono::nanoseconds{0}) changed_.wait_for(lock, pause);
  }
}

Result<void> DumpService::stop() {
  {
    const std::lock_guard lock{mutex_};
    if (state_ != ServiceState::running) return {};
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  const std::lock_guard lock{mutex_};
  state_ = ServiceState::stopped;
  first_config_ = engine_.config();
  return engine_.finish();
}

ServiceState DumpService::state() const {
  const std::lock_guard lock{mutex_};
  return state_;
}

std::string DumpService::status() const {
  const DumpStatus now = dump_status();
  const auto waiting = std::ranges::count_if(now.lanes, &LaneStatus::waiting);
  return fmt::format("{} files in {}{}{}{}", now.files_written, now.folder,
                     waiting > 0 ? fmt::format(", {} windows wait", waiting) : "",
                     now.last_error.empty() ? "" : ", last error: ", now.last_error);
}

Result<void> DumpService::add_target(DumpTarget target) {
  Result<void> done;
  {
    const std::lock_guard lock{mutex_};
    done = engine_.add_target(std::move(target));
  }
  changed_.notify_all();
  return done;
}

Result<void> DumpService::remove_target(int pid) {
  const std::lock_guard lock{mutex_};
  return engine_.remove_target(pid);
}

void DumpService::forget_target(int pid) {
  const std::lock_guard lock{mutex_};
  engine_.forget_target(pid);
}

Result<void> DumpService::configure(DumpConfig config) {
  Result<void> done;
  {
    const std::lock_guard lock{mutex_};
    done = engine_.configure(std::move(config));
  }
  changed_.notify_all();
  return done;
}

void DumpService::cut_now() {
  const std::lock_guard lock{mutex_};
  engine_.cut_all();
}

DumpStatus DumpService::dump_status() const {
  const std::lock_guard lock{mutex_};
  return engine_.status();
}

}  // namespace hprof
