// SPDX-License-Identifier: Apache-2.0
#include "fd_island.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace hprof {
namespace {

void close_range(unsigned first, unsigned last) {
  if (first > last) return;
  // Linux 5.9. Before it, copies of a few pipes and sockets stay open a little longer.
  ::syscall(SYS_close_range, first, last, 0);
}

void close_all_but(std::span<const int> kept) {
  std::vector<int> sorted(kept.begin(), kept.end());
  std::ranges::sort(sorted);
  unsigned next = 0;
  for (const int fd : sorted) {
    close_range(next, static_cast<unsigned>(fd) - 1 + (fd == 0 ? 1 : 0));
    next = static_cast<unsigned>(fd) + 1;
  }
  close_range(next, ~0U);
}

}  // namespace

Result<std::unique_ptr<FdIsland>> FdIsland::make(std::span<const int> kept) {
  std::unique_ptr<FdIsland> island{new FdIsland};
  island->thread_ = std::thread{[raw = island.get()] { raw->loop(); }};
  int reason = 0;
  island->run([&] {
    if (::unshare(CLONE_FILES) != 0) {
      reason = errno;
    } else {
      close_all_but(kept);
    }
  });
  if (reason != 0) return system_error(reason, "cannot make another table of file descriptors");
  return island;
}

FdIsland::~FdIsland() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FdIsland::run(const std::function<void()>& work) {
  std::unique_lock lock{mutex_};
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [this] { return work_ == nullptr; });
}

void FdIsland::loop() {
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait(lock, [this] { return work_ != nullptr || ending_; });
    if (work_ == nullptr) return;
    (*work_)();
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace hprof
