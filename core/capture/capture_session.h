// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu_account.h"
#include "engine_ladder.h"
#include "target_watch.h"

#include <hprof/core/base/clock.h>
#include <hprof/core/capture/cpu_sampler.h>

#include <mutex>

namespace hprof {

/// The one CpuSampler: wires targets, a sample source, the process table and the store together.
class CaptureSession final : public CpuSampler {
 public:
  CaptureSession(const SamplerOptions& options, const SamplerTargets& targets, Unwinder& unwinder,
                 std::shared_ptr<SampleStore> store);
  ~CaptureSession() override;
  Result<void> open();

  Result<void> start() override;
  Result<State> poll(std::chrono::milliseconds timeout) override;
  void wake() override { watch_.wake(); }
  void stop() override;
  [[nodiscard]] SamplerStats stats() const override;
  [[nodiscard]] const CaptureReport& report() const override { return report_; }
  [[nodiscard]] SampleStore& store() override { return *store_; }
  [[nodiscard]] std::vector<std::string> warnings() const override;

 private:
  Result<void> find_targets();
  Result<void> check_readable();
  [[nodiscard]] SourceOptions source_options(const Permissions& permissions) const;
  void note_kernel_view(const Permissions& permissions, bool user_only);
  void follow_targets();
  Result<void> release_command();
  Result<void> drain();
  /// Lets go of processes that ended; looks at those under suspicion only, or at `all`.
  void drop_ended(bool all);
  void keep_cpu_cap(std::int64_t now);
  void publish(std::int64_t now);
  void write_comments();

  SamplerOptions options_;
  SamplerTargets targets_;
  std::shared_ptr<SampleStore> store_;
  SystemClock clock_;
  ModuleRegistry modules_;
  ProcessTable processes_;
  SampleConsumer consumer_;
  CpuAccount account_;
  TargetWatch watch_;
  std::vector<int> pids_;
  bool has_32_bit_ = false;
  CaptureReport report_;
  EventSpec event_;
  std::unique_ptr<SampleSource> source_;
  enum class Phase : std::uint8_t { opened, running, stopped } phase_ = Phase::opened;
  std::int64_t started_ns_ = 0;
  std::int64_t account_ns_ = 0;  ///< when the account was last refreshed
  std::int64_t own_cpu_base_ = 0;
  std::int64_t cap_checked_ns_ = 0;
  std::int64_t cap_cpu_ns_ = 0;
  unsigned slowdown_ = 1;

  mutable std::mutex stats_mutex_;
  SamplerStats stats_;
};

}  // namespace hprof
