// SPDX-License-Identifier: Apache-2.0
#include "cpu_account.h"

#include <hprof/core/target/process_info.h>

#include <time.h>
#include <unistd.h>

namespace hprof {
namespace {

std::int64_t tick_ns() { return 1'000'000'000 / ::sysconf(_SC_CLK_TCK); }

}  // namespace

std::optional<std::int64_t> process_cpu_ns(const ProcFs& proc, int pid) {
  clockid_t clock = 0;
  timespec time{};
  if (proc.root() == "/proc" && ::clock_getcpuclockid(pid, &clock) == 0 &&
      ::clock_gettime(clock, &time) == 0) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  const Result<std::string> stat = proc.read(pid, "stat");
  ProcessInfo info;
  if (!stat || !parse_stat(*stat, info)) return std::nullopt;
  return static_cast<std::int64_t>(info.user_ticks + info.system_ticks) * tick_ns();
}

std::int64_t children_cpu_ns(const ProcFs& proc, int pid) {
  const Result<std::string> stat = proc.read(pid, "stat");
  ProcessInfo info;
  if (!stat || !parse_stat(*stat, info)) return 0;
  return static_cast<std::int64_t>(info.children_ticks) * tick_ns();
}

std::optional<std::int64_t> CpuAccount::read(int pid) const {
  std::optional<std::int64_t> own = process_cpu_ns(proc_, pid);
  if (own && children_) *own += children_cpu_ns(proc_, pid);
  return own;
}

void CpuAccount::add(int pid, bool from_birth) {
  Entry entry;
  entry.last = read(pid).value_or(0);
  entry.base = from_birth ? 0 : entry.last;
  entry.is_fork = from_birth;
  entries_[pid] = entry;
}

void CpuAccount::refresh() {
  for (auto at = entries_.begin(); at != entries_.end();) {
    Entry& entry = at->second;
    const std::optional<std::int64_t> now = read(at->first);
    if (now) {
      entry.last = *now;
      ++at;
      continue;
    }
    // A child's time is now in its parent's account, unless that is none of ours.
    if (!entry.is_fork) ended_ns_ += entry.last - entry.base;
    at = entries_.erase(at);
  }
}

std::int64_t CpuAccount::total_ns() const {
  std::int64_t total = ended_ns_;
  for (const auto& [pid, entry] : entries_) total += entry.last - entry.base;
  return total;
}

}  // namespace hprof
