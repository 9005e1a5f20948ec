// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/capture_report.h>
#include <hprof/core/capture/launched_command.h>
#include <hprof/core/capture/sample_store.h>
#include <hprof/core/capture/unwinder.h>
#include <hprof/core/target/module_registry.h>
#include <hprof/core/target/thread_filter.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

struct SamplerOptions {
  double rate = 99;                    ///< samples a second of CPU time
  std::string event;                   ///< empty: CPU time; else a perf event ("page-faults", ...)
  std::string clock = "auto";          ///< for CPU time: auto, cpu-clock, task-clock, cycles
  CaptureEngine engine = CaptureEngine::automatic;
  /// Copied with each sample; at most 65528, multiple of 8. What lies deeper is read later from the
  /// live stack, which a busy parser or compiler has left by then: with 16 KiB one stack in six of
  /// clang did not reach the root, with 64 KiB one in a hundred.
  std::uint32_t stack_bytes = 65528;
  std::uint64_t ring_bytes = 0;        ///< of each ring; 0: by rate and mlock limit
  std::size_t max_frames = 1024;
  bool user_only = false;              ///< no kernel frames, no time in the kernel
  std::optional<double> max_cpu;       ///< percent of one core hprof may use; beyond: lower rate
  std::size_t max_memory = std::size_t{1} << 30;
  std::string proc_root = "/proc";
};

struct SamplerTargets {
  std::vector<int> pids;
  ThreadFilter threads;
  bool children = false;               ///< also descendants, present and future
  bool system = false;                 ///< every process; pids are ignored
  LaunchedCommand* command = nullptr;  ///< borrowed; released by start(), its pid is a target
};

/// Samples the CPU time of processes into a SampleStore.
///
/// One thread calls start(), poll() in a loop, then stop(); stats(), report() and the store's
/// readers may be used from any thread.
class CpuSampler {
 public:
  /// Chooses the best rung that works here and attaches. Nothing is sampled before start().
  /// `store` is where samples go, so that several samplers in turn may feed the same readers; if
  /// null, one is made (see store_options()). `unwinder` must outlive the sampler.
  /// Errors: target_gone (no such process, zombie), permission, usage (unknown event),
  /// unsupported (the demanded engine cannot work here).
  static Result<std::unique_ptr<CpuSampler>> open(const SamplerOptions& options,
                                                  const SamplerTargets& targets,
                                                  Unwinder& unwinder,
                                                  std::shared_ptr<SampleStore> store = nullptr);
  /// How a store for such a sampler must be made.
  static StoreOptions store_options(const SamplerOptions& options);

  virtual ~CpuSampler() = default;

  /// Begins sampling; a prepared command is let go. Errors: the command cannot be run.
  virtual Result<void> start() = 0;

  enum class State {
    running,
    targets_gone,  ///< every target (with children: every process followed) has ended
  };
  /// Waits for samples, for an end of the targets or for wake(), at most `timeout`; counts what is
  /// there. Call at least every 100 ms or so; it returns early whenever a ring fills.
  /// Errors: the kernel refuses to go on.
  virtual Result<State> poll(std::chrono::milliseconds timeout) = 0;
  /// Makes a poll() return now. Any thread; async-signal-safe.
  virtual void wake() = 0;
  /// Ends sampling and counts what is left in the rings. Idempotent.
  virtual void stop() = 0;

  [[nodiscard]] virtual SamplerStats stats() const = 0;
  [[nodiscard]] virtual const CaptureReport& report() const = 0;
  [[nodiscard]] virtual SampleStore& store() = 0;
  /// Things the user should hear at the end, one line each ("12 threads ended before ...").
  [[nodiscard]] virtual std::vector<std::string> warnings() const = 0;

  CpuSampler(const CpuSampler&) = delete;
  CpuSampler& operator=(const CpuSampler&) = delete;
  CpuSampler(CpuSampler&&) = delete;
  CpuSampler& operator=(CpuSampler&&) = delete;

 protected:
  CpuSampler() = default;
};

/// Polls a started sampler until `duration` is over, the targets are gone or `stop()` says so, then
/// stops it. `stop` is asked after each poll.
Result<CpuSampler::State> run_sampler(CpuSampler& sampler,
                                      std::optional<std::chrono::nanoseconds> duration,
                                      const std::function<bool()>& stop);

}  // namespace hprof
