// SPDX-License-Identifier: Apache-2.0
#include "perf_event.h"

#include "perf_record.h"

#include <hprof/core/target/proc_fs.h>

#include <fmt/format.h>

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace hprof {
namespace {

constexpr int kMaxCpus = 65536;

}  // namespace

perf_event_attr make_perf_attr(const AttrOptions& options) {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.type = options.event.type;
  attr.config = options.event.config;
  attr.freq = options.event.period == 0 ? 1 : 0;
  if (attr.freq != 0) {
    attr.sample_freq = options.event.frequency;
  } else {
    attr.sample_period = options.event.period;
  }
  attr.sample_type = perf_sample_type(options.stack_bytes != 0);
  attr.sample_regs_user = options.stack_bytes != 0 ? perf_register_mask() : 0;
  attr.sample_stack_user = options.stack_bytes;
  attr.exclude_callchain_user = 1;
  attr.exclude_kernel = options.exclude_kernel ? 1 : 0;
  attr.exclude_callchain_kernel = attr.exclude_kernel;
  attr.exclude_hv = attr.exclude_kernel;
  attr.exclude_guest = 1;
  attr.exclude_idle = 1;
  attr.disabled = 1;
  attr.sample_id_all = 1;
  attr.mmap = 1;
  attr.mmap2 = 1;
  attr.comm = 1;
  attr.comm_exec = 1;
  attr.task = 1;
  attr.watermark = 1;
  attr.wakeup_watermark = options.wakeup_bytes;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

Result<UniqueFd> open_perf_event(perf_event_attr attr, int pid, int cpu, std::string_view name) {
  const long fd =
      ::syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) {
    const int reason = errno;
    // What a machine without a counter (most virtual ones) says is not of much help.
    if (reason == ENOENT || reason == EOPNOTSUPP) {
      return Error{ErrorKind::unsupported,
                   fmt::format("this machine does not count the event {}", name), {}};
    }
    return system_error(reason, fmt::format("perf event {}", name));
  }
  return UniqueFd{static_cast<int>(fd)};
}

std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find_first_of(",\n"), text.size());
    const std::string_view item = text.substr(0, comma);
    int first = -1;
    int last = -1;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), first);
    last = first;
    const char* const stop = item.data() + item.size();
    if (error == std::errc{} && end != stop && *end == '-') std::from_chars(end + 1, stop, last);
    if (error == std::errc{} && first >= 0 && last < kMaxCpus) {
      for (int cpu = first; cpu <= last; ++cpu) out.push_back(cpu);
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

std::vector<int> online_cpus() {
  const Result<std::string> text = read_text_file("/sys/devices/system/cpu/online", 65536);
  std::vector<int> cpus = text ? parse_cpu_list(*text) : std::vector<int>{};
  if (cpus.empty()) {
    for (int cpu = 0; cpu < ::sysconf(_SC_NPROCESSORS_ONLN); ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace hprof
