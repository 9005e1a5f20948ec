// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <linux/perf_event.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// What is counted, and how often a sample of it is taken.
struct EventSpec {
  std::string name;
  std::string unit = "count";    ///< nanoseconds for clocks
  std::uint32_t type = PERF_TYPE_SOFTWARE;
  std::uint64_t config = PERF_COUNT_SW_CPU_CLOCK;
  std::uint64_t period = 0;      ///< of one sample, in units; 0: by `frequency`
  std::uint64_t frequency = 0;   ///< samples a second
  /// What a sample stands for: this many units, or 0 for the period in the record.
  std::int64_t fixed_weight = 0;
};

/// How the events of one sampler are set up, whichever way they are attached.
struct AttrOptions {
  EventSpec event;
  std::uint32_t stack_bytes = 16384;
  bool exclude_kernel = false;
  std::uint32_t wakeup_bytes = 0;  ///< new bytes that wake the reader; 0: half of the ring
};

/// An attribute with our record layout (perf_sample_type()), all side-band records and the
/// CLOCK_MONOTONIC clock; disabled.
perf_event_attr make_perf_attr(const AttrOptions& options);

/// perf_event_open(2), close-on-exec. Errors: as the system call, named by the event.
Result<UniqueFd> open_perf_event(perf_event_attr attr, int pid, int cpu, std::string_view name);

/// The CPUs that are online. Source: /sys/devices/system/cpu/online.
std::vector<int> online_cpus();
/// "0-3,8" as numbers; what is malformed is left out.
std::vector<int> parse_cpu_list(std::string_view text);

}  // namespace hprof
