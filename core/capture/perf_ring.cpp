// SPDX-License-Identifier: Apache-2.0
#include "perf_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kHeaderSize = 8;

perf_event_mmap_page* control(std::byte* base) {
  return reinterpret_cast<perf_event_mmap_page*>(base);
}

}  // namespace

Result<PerfRing> PerfRing::map(int fd, std::size_t data_bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* base = ::mmap(nullptr, page + data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) {
    const int reason = errno;
    return system_error(reason, "cannot map a perf ring");
  }
  return PerfRing{static_cast<std::byte*>(base), page, data_bytes};
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      page_(other.page_),
      size_(other.size_),
      head_(other.head_),
      tail_(other.tail_),
      front_size_(other.front_size_),
      joined_(std::move(other.joined_)) {}

PerfRing& PerfRing::operator=(PerfRing&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(page_, other.page_);
  std::swap(size_, other.size_);
  std::swap(head_, other.head_);
  std::swap(tail_, other.tail_);
  std::swap(front_size_, other.front_size_);
  std::swap(joined_, other.joined_);
  return *this;
}

PerfRing::~PerfRing() {
  if (base_ != nullptr) ::munmap(base_, page_ + size_);
}

void PerfRing::refresh() {
  head_ = __atomic_load_n(&control(base_)->data_head, __ATOMIC_ACQUIRE);
}

Bytes PerfRing::front() {
  front_size_ = 0;
  const std::uint64_t left = head_ - tail_;
  if (left < kHeaderSize || left > size_) {
    tail_ = head_;
    return {};
  }
  // Records are aligned to 8 bytes, so a header never runs over the end.
  const Bytes data{base_ + page_, size_};
  const auto at = static_cast<std::size_t>(tail_ & (size_ - 1));
  const std::size_t record = load<std::uint16_t>(data, at + 6);
  if (record < kHeaderSize || record > left) {
    tail_ = head_;
    return {};
  }
  front_size_ = record;
  if (record <= size_ - at) return data.subspan(at, record);
  joined_.assign(data.begin() + static_cast<std::ptrdiff_t>(at), data.end());
  joined_.insert(joined_.end(), data.begin(),
                 data.begin() + static_cast<std::ptrdiff_t>(record - (size_ - at)));
  return joined_;
}

void PerfRing::pop() {
  tail_ += front_size_;
  front_size_ = 0;
}

void PerfRing::release() {
  __atomic_store_n(&control(base_)->data_tail, tail_, __ATOMIC_RELEASE);
}

}  // namespace hprof
