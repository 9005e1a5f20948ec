// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_ring.h"

#include <hprof/core/base/unique_fd.h>

#include <functional>
#include <span>
#include <vector>

namespace hprof {

/// One ring for each CPU, read as one stream in the order of time.
class PerfRings {
 public:
  static Result<PerfRings> make();

  /// Maps a ring on each descriptor, which stay the caller's: of `ring_bytes` each, or half, or a
  /// quarter, until the kernel grants them all. Errors: not even the smallest are granted.
  Result<void> map(std::span<const UniqueFd> events, std::size_t ring_bytes);

  /// Gives every record not younger than `until_ns` to `handle`, oldest first; the rest stays, for
  /// a record of another CPU may have to come before it.
  void drain(std::int64_t until_ns, const std::function<void(Bytes)>& handle);

  /// Becomes readable when some ring is half full.
  [[nodiscard]] int poll_fd() const { return epoll_.get(); }
  [[nodiscard]] std::size_t ring_bytes() const { return ring_bytes_; }
  [[nodiscard]] std::size_t size() const { return rings_.size(); }

 private:
  explicit PerfRings(UniqueFd epoll) : epoll_(std::move(epoll)) {}
  Result<void> try_map(std::span<const UniqueFd> events);

  UniqueFd epoll_;
  std::size_t ring_bytes_ = 0;
  std::vector<PerfRing> rings_;
};

/// The size of a ring that holds `seconds` of samples, as a power of two within limits.
std::size_t choose_ring_bytes(double rate, std::size_t stack_bytes, double seconds);

/// After how many new bytes a ring wakes its reader: with every sample up to 250 a second, seldomer
/// beyond. What lies deeper than the copied stack is read from the live one, and soon is not soon
/// enough after a tenth of a second: a program has returned from there by then.
std::uint32_t choose_wakeup_bytes(double rate, std::size_t stack_bytes);

}  // namespace hprof
