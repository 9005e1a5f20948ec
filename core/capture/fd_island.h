// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

namespace hprof {

/// A thread with a table of file descriptors of its own. The limit of open files counts each table
/// alone, so a process with islands can hold any number of descriptors without privileges; memory
/// mapped from them is shared as ever. Source: unshare(2), CLONE_FILES.
class FdIsland {
 public:
  /// Starts the thread; of our descriptors it keeps copies of `kept` only, under their numbers.
  /// Errors: what unshare(2) says.
  static Result<std::unique_ptr<FdIsland>> make(std::span<const int> kept);

  FdIsland(const FdIsland&) = delete;
  FdIsland& operator=(const FdIsland&) = delete;
  FdIsland(FdIsland&&) = delete;
  FdIsland& operator=(FdIsland&&) = delete;
  /// Ends the thread, which closes its descriptors.
  ~FdIsland();

  /// Runs `work` on the island and waits for it.
  void run(const std::function<void()>& work);

 private:
  FdIsland() = default;
  void loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace hprof
