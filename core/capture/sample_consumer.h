// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "process_table.h"

#include <hprof/core/capture/sample_store.h>
#include <hprof/core/capture/unwinder.h>
#include <hprof/core/target/thread_filter.h>

#include <unordered_set>

namespace hprof {

struct ConsumerOptions {
  ThreadFilter threads;
  std::size_t max_frames = 1024;
};

/// Turns what a sample source delivers into counted stacks.
class SampleConsumer {
 public:
  SampleConsumer(ConsumerOptions options, ProcessTable& processes, ModuleRegistry& modules,
                 Unwinder& unwinder, SampleStore& store);

  /// Counts one sample that stands for `weight` (ns, or occurrences of an event).
  void on_sample(const SampleRecord& sample, std::int64_t weight, std::int64_t now_ns);
  void on_lost(std::uint64_t count);
  void on_throttle();
  /// Whether kernel frames keep their addresses; else one "[kernel]" frame stands for them all.
  void set_kernel_addresses(bool kept) { kernel_addresses_ = kept; }

  [[nodiscard]] ProcessTable& processes() { return processes_; }

  struct Counts {
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;
    std::uint64_t throttled = 0;
    std::uint64_t truncated = 0;
    std::int64_t weight = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] std::uint32_t threads_seen() const {
    return static_cast<std::uint32_t>(threads_seen_.size());
  }

 private:
  void add_kernel_frames(const KernelChain& chain);
  UnwindEnd add_user_frames(FollowedProcess& process, const SampleRecord& sample,
                            std::int64_t now_ns);
  void elide_middle();

  ConsumerOptions options_;
  ProcessTable& processes_;
  Unwinder& unwinder_;
  SampleStore& store_;
  MappedRange kernel_range_;
  Counts counts_;
  std::unordered_set<int> threads_seen_;
  bool kernel_addresses_ = false;
  std::vector<std::uint64_t> addresses_;
  std::vector<SampleFrame> frames_;
};

}  // namespace hprof
