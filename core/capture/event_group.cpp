// SPDX-License-Identifier: Apache-2.0
#include "event_group.h"

#include <dirent.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include <algorithm>

namespace hprof {
namespace {

// Descriptors that the rest of the program may still need: files, pipes, sockets.
constexpr std::size_t kReserve = 128;
// What an island needs beside its events.
constexpr std::size_t kIslandReserve = 16;

std::size_t open_file_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 256;
}

std::size_t open_files() {
  std::size_t count = 0;
  DIR* dir = ::opendir("/proc/self/fd");
  if (dir == nullptr) return 64;
  while (::readdir(dir) != nullptr) ++count;  // NOLINT(concurrency-mt-unsafe): a DIR of our own
  ::closedir(dir);
  return count;
}

}  // namespace

EventGroup::EventGroup(std::span<const UniqueFd> ring_events, std::vector<int> cpus,
                       perf_event_attr attr, std::string name)
    : cpus_(std::move(cpus)), attr_(attr), name_(std::move(name)) {
  for (const UniqueFd& fd : ring_events) ring_fds_.push_back(fd.get());
  Hold home;
  const std::size_t taken = open_files() + kReserve;
  home.room = open_file_limit() > taken ? open_file_limit() - taken : 0;
  holds_.push_back(std::move(home));
}

Result<void> EventGroup::make_room() {
  if (holds_.back().room >= cpus_.size()) return {};
  const std::size_t taken = ring_fds_.size() + kIslandReserve;
  // Copies keep their numbers, and a number above the limit is beyond it however few are open.
  if (open_file_limit() < taken + cpus_.size()) {
    return Error{ErrorKind::unsupported, "the limit of open files is too low for one thread",
                 "raise it (ulimit -n)"};
  }
  Hold hold;
  HPROF_ASSIGN(hold.island, FdIsland::make(ring_fds_));
  hold.room = open_file_limit() - taken;
  holds_.push_back(std::move(hold));
  return {};
}

Result<void> EventGroup::open_events(int tid, std::vector<UniqueFd>& out) const {
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    Result<UniqueFd> event = open_perf_event(attr_, tid, cpus_[i], name_);
    if (!event) {
      if (event.error().kind == ErrorKind::target_gone) return {};
      return std::move(event).error();
    }
    if (::ioctl(event->get(), PERF_EVENT_IOC_SET_OUTPUT, ring_fds_[i]) != 0) {
      const int reason = errno;
      return system_error(reason, "cannot share a perf ring");
    }
    out.push_back(std::move(*event));
  }
  return {};
}

Result<void> EventGroup::add_thread(int tid) {
  HPROF_TRY(make_room());
  Hold& hold = holds_.back();
  const std::size_t before = hold.events.size();
  Result<void> result;
  if (hold.island == nullptr) {
    result = open_events(tid, hold.events);
  } else {
    hold.island->run([&] { result = open_events(tid, hold.events); });
  }
  const std::size_t added = hold.events.size() - before;
  hold.room -= std::min(hold.room, added);
  count_ += added;
  return result;
}

void EventGroup::disable() {
  for (Hold& hold : holds_) {
    const auto disable_all = [&hold] {
      for (const UniqueFd& event : hold.events) ::ioctl(event.get(), PERF_EVENT_IOC_DISABLE, 0);
      hold.events.clear();
    };
    if (hold.island == nullptr) {
      disable_all();
    } else {
      hold.island->run(disable_all);
    }
  }
}

}  // namespace hprof
