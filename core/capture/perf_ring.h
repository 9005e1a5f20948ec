// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <vector>

namespace hprof {

/// The ring the kernel writes the records of perf events into. Source: perf_event_open(2), "MMAP
/// layout".
class PerfRing {
 public:
  /// Maps the ring of `fd`, with `data_bytes` (a power of two of pages) for records.
  /// Errors: what mmap(2) says; permission where the locked memory does not suffice.
  static Result<PerfRing> map(int fd, std::size_t data_bytes);

  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&& other) noexcept;
  PerfRing(const PerfRing&) = delete;
  PerfRing& operator=(const PerfRing&) = delete;
  ~PerfRing();

  /// Sees what was written until now; front() gives it record by record.
  void refresh();
  /// The oldest record, header included, or empty. Lifetime: until pop() or the next front().
  [[nodiscard]] Bytes front();
  void pop();
  /// Gives the space of what was popped back to the kernel.
  void release();

  [[nodiscard]] std::size_t data_bytes() const { return size_; }

 private:
  PerfRing(std::byte* base, std::size_t page, std::size_t size)
      : base_(base), page_(page), size_(size) {}

  std::byte* base_ = nullptr;
  std::size_t page_ = 0;
  std::size_t size_ = 0;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  std::size_t front_size_ = 0;
  std::vector<std::byte> joined_;  ///< a record that runs over the end of the ring
};

}  // namespace hprof
