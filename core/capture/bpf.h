// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <cstdint>

namespace hprof {

/// Lets the samples of per-CPU events through for some processes (or threads) only, in the kernel,
/// so that the others pay next to nothing. Two programs of a dozen instructions, no compiler and no
/// library: they ask for the current id and look it up in a hash of ids.
class BpfFilter {
 public:
  enum class Key : std::uint8_t { process, thread };

  /// Loads the filter. Errors: what bpf(2) says.
  static Result<BpfFilter> load(Key key, std::uint32_t max_ids);

  /// Filters the samples of one perf event from now on.
  Result<void> attach(int perf_fd) const;
  /// From now on a child of a process that passes, passes from its first instruction on.
  /// Errors: no tracefs, or what bpf(2) and perf_event_open(2) say.
  Result<void> follow_forks();

  Result<void> add(int id) const;
  void remove(int id) const;

 private:
  UniqueFd ids_;
  UniqueFd filter_;
  UniqueFd fork_program_;
  UniqueFd fork_event_;
};

}  // namespace hprof
