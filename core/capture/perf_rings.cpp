// SPDX-License-Identifier: Apache-2.0
#include "perf_rings.h"

#include "perf_record.h"

#include <fmt/format.h>

#include <errno.h>
#include <sys/epoll.h>

#include <algorithm>
#include <bit>

namespace hprof {
namespace {

// A sample with a stack of 64 KiB must fit.
constexpr std::size_t kMinRing = std::size_t{1} << 17;
constexpr std::size_t kMaxRing = std::size_t{1} << 23;
constexpr std::size_t kRecordOverhead = 1024;

struct Front {
  Bytes record;
  std::uint64_t time = 0;
};

Front look(PerfRing& ring) {
  Front front{ring.front(), 0};
  if (!front.record.empty()) front.time = perf_record_time(front.record);
  return front;
}

}  // namespace

std::uint32_t choose_wakeup_bytes(double rate, std::size_t stack_bytes) {
  constexpr double kMaxWakeups = 250;
  const double samples = std::max(0.0, rate / kMaxWakeups - 1);
  const double bytes = samples * static_cast<double>(stack_bytes + kRecordOverhead);
  return static_cast<std::uint32_t>(std::clamp(bytes, 1.0, static_cast<double>(kMinRing) / 2));
}

std::size_t choose_ring_bytes(double rate, std::size_t stack_bytes, double seconds) {
  const double wanted = rate * seconds * static_cast<double>(stack_bytes + kRecordOverhead);
  const auto bounded = static_cast<std::size_t>(
      std::clamp(wanted, static_cast<double>(kMinRing), static_cast<double>(kMaxRing)));
  return std::bit_ceil(bounded);
}

Result<PerfRings> PerfRings::make() {
  UniqueFd epoll{::epoll_create1(EPOLL_CLOEXEC)};
  if (!epoll.valid()) {
    const int reason = errno;
    return system_error(reason, "cannot wait for perf rings");
  }
  return PerfRings{std::move(epoll)};
}

Result<void> PerfRings::try_map(std::span<const UniqueFd> events) {
  rings_.clear();
  for (const UniqueFd& event : events) {
    HPROF_ASSIGN(PerfRing ring, PerfRing::map(event.get(), ring_bytes_));
    rings_.push_back(std::move(ring));
  }
  return {};
}

Result<void> PerfRings::map(std::span<const UniqueFd> events, std::size_t ring_bytes) {
  ring_bytes_ = std::bit_floor(std::max(ring_bytes, kMinRing));
  Result<void> mapped = try_map(events);
  while (!mapped && ring_bytes_ > kMinRing) {
    ring_bytes_ /= 2;
    mapped = try_map(events);
  }
  if (!mapped) {
    rings_.clear();
    Error error = std::move(mapped).error();
    error.message += fmt::format(" ({} KiB for each of {} CPUs)", ring_bytes_ / 1024, events.size());
    error.hint = "raise kernel.perf_event_mlock_kb or the limit of locked memory (ulimit -l)";
    return error;
  }
  for (const UniqueFd& fd : events) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd.get();
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) == 0) continue;
    const int reason = errno;
    return system_error(reason, "cannot wait for perf rings");
  }
  return {};
}

void PerfRings::drain(std::int64_t until_ns, const std::function<void(Bytes)>& handle) {
  std::vector<Front> fronts;
  for (PerfRing& ring : rings_) {
    ring.refresh();
    fronts.push_back(look(ring));
  }
  const auto limit = static_cast<std::uint64_t>(until_ns);
  while (true) {
    std::size_t oldest = rings_.size();
    for (std::size_t i = 0; i < fronts.size(); ++i) {
      if (fronts[i].record.empty() || fronts[i].time > limit) continue;
      if (oldest == rings_.size() || fronts[i].time < fronts[oldest].time) oldest = i;
    }
    if (oldest == rings_.size()) break;
    handle(fronts[oldest].record);
    rings_[oldest].pop();
    // Space is given back at once, so that a slow unwind of a full ring loses as little as can be.
    rings_[oldest].release();
    fronts[oldest] = look(rings_[oldest]);
  }
}

}  // namespace hprof
