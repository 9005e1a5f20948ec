// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_event.h"

#include <string_view>

namespace hprof {

/// The event that measures CPU time on `clock` (auto, cpu-clock, task-clock, cycles), sampled
/// `rate` times a second of it.
/// Errors: usage for another clock.
Result<EventSpec> cpu_time_event(std::string_view clock, double rate);

/// An event by perf's name: software ("page-faults"), hardware ("cache-misses"), tracepoint
/// ("sched:sched_switch", each occurrence is a sample) or raw ("r01c4").
/// Errors: usage for an unknown name, with the known ones in the hint.
Result<EventSpec> find_event(std::string_view name, double rate);

}  // namespace hprof
