// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fd_island.h"
#include "perf_event.h"

#include <memory>
#include <span>
#include <vector>

namespace hprof {

/// The perf events of any number of threads, each thread × CPU, all writing to one ring per CPU.
/// Where the limit of open files does not suffice, they live on islands.
class EventGroup {
 public:
  /// `ring_events`, one for each of `cpus`, own the rings; they must outlive the group.
  EventGroup(std::span<const UniqueFd> ring_events, std::vector<int> cpus, perf_event_attr attr,
             std::string name);

  /// Opens the events of one thread. A thread that is gone is no error.
  /// Errors: as perf_event_open(2).
  Result<void> add_thread(int tid);
  /// Disables every event, with those that were inherited from it.
  void disable();

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t islands() const { return holds_.size() - 1; }

 private:
  struct Hold {
    std::unique_ptr<FdIsland> island;  ///< null: our own table
    std::vector<UniqueFd> events;
    std::size_t room = 0;
  };

  Result<void> make_room();
  Result<void> open_events(int tid, std::vector<UniqueFd>& out) const;

  std::vector<int> ring_fds_;
  std::vector<int> cpus_;
  perf_event_attr attr_;
  std::string name_;
  std::vector<Hold> holds_;
  std::size_t count_ = 0;
};

}  // namespace hprof
