// SPDX-License-Identifier: Apache-2.0
#include "target_watch.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace hprof {
namespace {

// Beyond this many descriptors, ends of processes are found by looking at /proc only.
constexpr std::size_t kMaxPidfds = 64;

}  // namespace

Result<void> TargetWatch::open() {
  epoll_ = UniqueFd{::epoll_create1(EPOLL_CLOEXEC)};
  event_ = UniqueFd{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!epoll_.valid() || !event_.valid()) {
    const int reason = errno;
    return system_error(reason, "cannot wait for events");
  }
  return add(event_.get());
}

Result<void> TargetWatch::add(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    const int reason = errno;
    return system_error(reason, "cannot wait for events");
  }
  return {};
}

void TargetWatch::add_process(int pid) {
  if (processes_.size() >= kMaxPidfds) return;
  UniqueFd fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
  // Close-on-exec is what pidfd_open(2) always sets.
  if (fd.valid() && add(fd.get())) processes_[pid] = std::move(fd);
}

void TargetWatch::remove_process(int pid) { processes_.erase(pid); }

void TargetWatch::wait(int timeout_ms) {
  std::array<epoll_event, 80> events{};
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                 timeout_ms);
  readable_.clear();
  for (int i = 0; i < count; ++i) readable_.push_back(events[static_cast<std::size_t>(i)].data.fd);
  std::uint64_t wakes = 0;
  static_cast<void>(::read(event_.get(), &wakes, sizeof(wakes)) > 0);
}

bool TargetWatch::has_ended(int pid) const {
  const auto at = processes_.find(pid);
  return at != processes_.end() && std::ranges::find(readable_, at->second.get()) != readable_.end();
}

void TargetWatch::wake() const {
  const std::uint64_t one = 1;
  static_cast<void>(::write(event_.get(), &one, sizeof(one)) > 0);
}

}  // namespace hprof
