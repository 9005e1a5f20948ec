// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/capture_service.h>

#include <fmt/format.h>

namespace hprof {

CaptureService::CaptureService(std::string name, std::unique_ptr<CpuSampler> sampler,
                               std::shared_ptr<SampleStore> store, std::function<void()> ended,
                               Log log)
    : name_(std::move(name)),
      sampler_(std::move(sampler)),
      store_(std::move(store)),
      on_end_(std::move(ended)),
      log_(std::move(log)) {}

CaptureService::~CaptureService() {
  if (const Result<void> done = stop(); !done) log_line(log_, LogLevel::error, done.error().message);
}

Result<void> CaptureService::start() {
  if (thread_.joinable()) return {};
  HPROF_TRY(sampler_->start());
  stopping_ = false;
  state_ = ServiceState::running;
  thread_ = std::thread{[this] { run(); }};
  return {};
}

void CaptureService::run() {
  Result<CpuSampler::State> state = CpuSampler::State::running;
  while (!stopping_ && state && *state == CpuSampler::State::running) {
    std::uint64_t asked = 0;
    bool urgent = false;
    {
      const std::lock_guard lock{mutex_};
      asked = asked_;
      urgent = asked_ != answered_;
    }
    state = sampler_->poll(std::chrono::milliseconds{urgent ? 0 : 100});
    {
      const std::lock_guard lock{mutex_};
      answered_ = asked;
    }
    settled_.notify_all();
  }
  sampler_->stop();
  if (!state) {
    log_line(log_, LogLevel::error, fmt::format("{}: {}", name_, state.error().message));
    state_ = ServiceState::failed;
  }
  ended_ = true;
  {
    const std::lock_guard lock{mutex_};
    answered_ = asked_;
  }
  settled_.notify_all();
  if (!stopping_ && on_end_) on_end_();
}

Result<void> CaptureService::stop() {
  if (!thread_.joinable()) return {};
  stopping_ = true;
  sampler_->wake();
  thread_.join();
  if (state_ == ServiceState::running) state_ = ServiceState::stopped;
  return {};
}

void CaptureService::settle() {
  std::unique_lock lock{mutex_};
  if (ended_ || state_ == ServiceState::stopped) return;
  const std::uint64_t mine = ++asked_;
  sampler_->wake();
  settled_.wait_for(lock, std::chrono::milliseconds{500},
                    [&] { return ended_ || answered_ >= mine; });
}

std::unique_ptr<ProfileSource> CaptureService::open_source() {
  return std::make_unique<StoreSource>(store_, [this] { settle(); });
}

std::string CaptureService::status() const {
  const SamplerStats stats = sampler_->stats();
  return fmt::format("{}, {} samples, {} lost", sampler_->report().sentence(), stats.samples,
                     stats.lost);
}

}  // namespace hprof
