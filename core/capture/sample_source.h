// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_event.h"
#include "sample_consumer.h"

#include <hprof/core/capture/capture_report.h>
#include <hprof/core/target/permissions.h>

#include <memory>
#include <span>

namespace hprof {

/// What every engine needs to know to attach.
struct SourceOptions {
  EventSpec event;
  std::uint32_t stack_bytes = 16384;
  std::size_t ring_bytes = 0;
  bool user_only = false;
  bool children = false;
  bool system = false;
  std::vector<int> pids;
  std::vector<int> tids;   ///< only these, if any
  bool is_other_event = false;  ///< not CPU time
  bool on_exec = false;    ///< the one pid is a command that waits before its exec
  double rate = 99;
};

/// One way to see threads on their CPU: a rung of the ladder.
class SampleSource {
 public:
  virtual ~SampleSource() = default;

  virtual Result<void> start() = 0;
  virtual void stop() = 0;
  /// Delivers what happened up to `until_ns` to the consumer.
  virtual Result<void> drain(SampleConsumer& consumer, std::int64_t until_ns) = 0;
  /// Readable when a drain is due; -1 if only time tells.
  [[nodiscard]] virtual int poll_fd() const = 0;
  /// The longest time to wait between two drains, ns.
  [[nodiscard]] virtual std::int64_t drain_every_ns() const = 0;
  /// A process came under our eyes.
  virtual void on_new_process(int pid) = 0;
  /// A thread other than a main thread has ended.
  virtual void on_thread_exit(int tid) = 0;
  virtual void on_process_gone(int pid) = 0;
  /// Takes (or counts) samples `factor` times as rarely as asked, each weighing as much more.
  virtual void slow_down(unsigned factor) = 0;
  [[nodiscard]] virtual std::int64_t longest_hold_ns() const { return 0; }
  /// Completes the report with what only the source knows.
  virtual void describe(CaptureReport& report) const = 0;

  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  SampleSource(SampleSource&&) = delete;
  SampleSource& operator=(SampleSource&&) = delete;
};

/// Timers on every CPU, filtered by process in the kernel. Errors: permission, unsupported.
Result<std::unique_ptr<SampleSource>> open_per_cpu_source(const SourceOptions& options,
                                                          const Permissions& permissions);

/// An event on every thread and CPU, inherited by new threads (and processes, with children).
/// Errors: permission (paranoid, seccomp), target_gone.
Result<std::unique_ptr<SampleSource>> open_per_thread_source(const SourceOptions& options,
                                                             const ProcFs& proc);

/// Short stops of running threads on a timer, where events are forbidden.
/// Errors: permission, target_gone.
Result<std::unique_ptr<SampleSource>> open_ptrace_source(const SourceOptions& options,
                                                         const ProcFs& proc);

}  // namespace hprof
