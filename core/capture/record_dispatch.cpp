// SPDX-License-Identifier: Apache-2.0
#include "record_dispatch.h"

#include <hprof/core/base/intern_table.h>

namespace hprof {

std::int64_t RecordDispatch::weigh(const SampleRecord& sample) const {
  const auto factor = static_cast<std::int64_t>(weighing_.slowdown);
  if (event_.fixed_weight != 0) return event_.fixed_weight * factor;
  // The kernel leaves the period of a clock in its records as it was when the event was opened.
  if (event_.unit == "nanoseconds") return static_cast<std::int64_t>(event_.period) * factor;
  return static_cast<std::int64_t>(sample.period) * (weighing_.thin ? factor : 1);
}

void RecordDispatch::on_sample(const SampleRecord& sample, std::int64_t time) {
  // By a hash of the time: a count would keep step with the order of CPUs.
  if (weighing_.thin && mix_hash(static_cast<std::uint64_t>(time)) % weighing_.slowdown != 0) return;
  consumer_.on_sample(sample, weigh(sample), time);
}

void RecordDispatch::operator()(Bytes bytes) {
  const auto time = static_cast<std::int64_t>(perf_record_time(bytes));
  const PerfRecord record = decode_perf_record(bytes, with_user_stack_);
  ProcessTable& processes = consumer_.processes();
  if (const auto* sample = std::get_if<SampleRecord>(&record)) {
    on_sample(*sample, time);
  } else if (const auto* map = std::get_if<MmapRecord>(&record)) {
    processes.on_mmap(*map);
  } else if (const auto* comm = std::get_if<CommRecord>(&record)) {
    processes.on_comm(*comm);
  } else if (const auto* task = std::get_if<TaskRecord>(&record)) {
    if (task->is_exit) {
      processes.on_exit(*task);
      if (task->tid != task->pid) source_.on_thread_exit(task->tid);
    } else if (const int pid = processes.on_fork(*task, time); pid != 0) {
      source_.on_new_process(pid);
    }
  } else if (const auto* lost = std::get_if<LostRecord>(&record)) {
    consumer_.on_lost(lost->count);
  } else if (std::holds_alternative<ThrottleRecord>(record)) {
    consumer_.on_throttle();
  }
}

}  // namespace hprof
