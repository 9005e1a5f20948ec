// SPDX-License-Identifier: Apache-2.0
#include "thread_times.h"

#include "cpu_account.h"

#include <hprof/core/target/process_info.h>

#include <fmt/format.h>

#include <unistd.h>

#include <charconv>

namespace hprof {

// schedstat: "<ns on CPU> <ns waiting for it> <time slices>". Source: Documentation/scheduler.
std::optional<std::int64_t> ThreadTimes::cpu_ns(int pid, int tid) const {
  if (const auto text = proc_.read(pid, fmt::format("task/{}/schedstat", tid))) {
    std::int64_t ns = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), ns);
    if (error == std::errc{}) return ns;
  }
  const Result<std::string> stat = proc_.read(pid, fmt::format("task/{}/stat", tid));
  ProcessInfo info;
  if (!stat || !parse_stat(*stat, info)) return std::nullopt;
  return static_cast<std::int64_t>(info.user_ticks + info.system_ticks) * 1'000'000'000 /
         ::sysconf(_SC_CLK_TCK);
}

bool ThreadTimes::is_running(int pid, int tid) const {
  const Result<std::string> stat = proc_.read(pid, fmt::format("task/{}/stat", tid));
  ProcessInfo info;
  return stat && parse_stat(*stat, info) && info.state == 'R';
}

void ThreadTimes::begin(int pid) {
  for (const int tid : proc_.tids(pid)) {
    threads_[tid] = {pid, cpu_ns(pid, tid).value_or(0), scan_};
  }
}

void ThreadTimes::find_busy(int pid, std::vector<BusyThread>& out) {
  // One question about the whole process spares hundreds about its idle threads.
  const std::int64_t process = process_cpu_ns(proc_, pid).value_or(-1);
  std::int64_t& last = process_ns_[pid];
  if (process == last) return;
  last = process;
  ++scan_;
  for (const int tid : proc_.tids(pid)) {
    Entry& entry = threads_[tid];
    entry.pid = pid;
    entry.scan = scan_;
    const std::optional<std::int64_t> now = cpu_ns(pid, tid);
    // A thread that sleeps again keeps its time until it is met running: to wake it would change
    // what it does, for some system calls do not go on after a stop.
    if (now && *now > entry.seen_ns && is_running(pid, tid)) {
      out.push_back({pid, tid, *now - entry.seen_ns});
    }
  }
  std::erase_if(threads_, [&](const auto& item) {
    return item.second.pid == pid && item.second.scan != scan_;
  });
}

void ThreadTimes::seen(const BusyThread& thread) {
  threads_[thread.tid].seen_ns += thread.unseen_ns;
}

void ThreadTimes::forget(int pid) {
  process_ns_.erase(pid);
  std::erase_if(threads_, [pid](const auto& item) { return item.second.pid == pid; });
}

}  // namespace hprof
