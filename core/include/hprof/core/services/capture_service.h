// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/log.h>
#include <hprof/core/capture/cpu_sampler.h>
#include <hprof/core/services/profile_source.h>
#include <hprof/core/services/service.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace hprof {

/// Runs a sampler on a thread of its own, so that dumps, HTTP and live views can read its store at
/// once through cursors of their own.
class CaptureService final : public Service {
 public:
  /// `ended` is called once from the thread when all targets are gone or the kernel gives up; it
  /// must not stop this service itself.
  CaptureService(std::string name, std::unique_ptr<CpuSampler> sampler,
                 std::shared_ptr<SampleStore> store, std::function<void()> ended, Log log = {});
  ~CaptureService() override;

  [[nodiscard]] std::string name() const override { return name_; }
  Result<void> start() override;
  Result<void> stop() override;
  [[nodiscard]] ServiceState state() const override { return state_; }
  [[nodiscard]] std::string status() const override;

  /// Returns once everything sampled before the call has been counted, at the latest after half a
  /// second. Any thread.
  void settle();
  /// A reader of the windows that end from now on.
  [[nodiscard]] std::unique_ptr<ProfileSource> open_source();
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const CpuSampler& sampler() const { return *sampler_; }
  [[nodiscard]] SampleStore& store() { return *store_; }

 private:
  void run();

  std::string name_;
  std::unique_ptr<CpuSampler> sampler_;
  std::shared_ptr<SampleStore> store_;
  std::function<void()> on_end_;
  Log log_;
  std::thread thread_;
  std::atomic<ServiceState> state_ = ServiceState::stopped;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> ended_ = false;
  mutable std::mutex mutex_;
  std::condition_variable settled_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace hprof
