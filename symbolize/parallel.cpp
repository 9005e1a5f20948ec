// SPDX-License-Identifier: Apache-2.0
#include "symbolize/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace hprof::symbolize {
namespace {

struct Shared {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::atomic<unsigned> finished{0};
  std::mutex mutex;
  std::condition_variable wake;
};

void work_off(Shared& shared, std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = shared.next++; i < count; i = shared.next++) {
    work(i);
    ++shared.done;
  }
}

bool run_here(std::size_t count, const std::function<void(std::size_t)>& work,
              const std::function<bool(std::size_t)>& keep_on) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!keep_on(i)) return false;
    work(i);
  }
  return true;
}

}  // namespace

bool run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool(std::size_t)>& keep_on) {
  const auto helpers = static_cast<unsigned>(std::min<std::size_t>(threads, count));
  if (count <= 1 || helpers <= 1) return run_here(count, work, keep_on);
  Shared shared;
  std::vector<std::jthread> pool;
  for (unsigned i = 0; i < helpers; ++i) {
    pool.emplace_back([&] {
      work_off(shared, count, work);
      const std::lock_guard lock{shared.mutex};
      ++shared.finished;
      shared.wake.notify_one();
    });
  }
  bool go_on = true;
  std::unique_lock lock{shared.mutex};
  while (shared.finished < helpers) {
    shared.wake.wait_for(lock, std::chrono::milliseconds{100});
    lock.unlock();
    if (go_on && !keep_on(shared.done)) {
      go_on = false;
      shared.next = count;
    }
    lock.lock();
  }
  return go_on;
}

}  // namespace hprof::symbolize
