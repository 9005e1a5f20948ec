// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace hprof::symbolize {

/// Finds which of many ranges holds an address. Where ranges overlap, the one that starts last wins
/// up to its end, then the outer one goes on.
class IntervalMap {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void add(std::uint64_t low, std::uint64_t high, std::uint32_t id) {
    if (low < high) ranges_.push_back({low, high, id});
  }
  /// To be called once, between the adds and the finds.
  void settle();
  [[nodiscard]] std::uint32_t find(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(ranges_, address, {}, &Range::low);
    if (after == ranges_.begin()) return kNone;
    const Range& range = *std::prev(after);
    return address < range.high ? range.id : kNone;
  }
  [[nodiscard]] bool empty() const { return ranges_.empty(); }

 private:
  struct Range {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t id = 0;
  };
  std::vector<Range> ranges_;
};

inline void IntervalMap::settle() {
  std::ranges::stable_sort(ranges_, [](const Range& a, const Range& b) {
    return a.low != b.low ? a.low < b.low : a.high > b.high;
  });
  std::vector<Range> pieces;
  pieces.reserve(ranges_.size());
  std::vector<const Range*> open;
  std::uint64_t at = 0;
  const auto emit = [&](std::uint64_t to) {
    if (!open.empty() && to > at) pieces.push_back({at, to, open.back()->id});
    at = std::max(at, to);
  };
  const auto close_until = [&](std::uint64_t address) {
    while (!open.empty() && open.back()->high <= address) {
      emit(open.back()->high);
      open.pop_back();
    }
  };
  for (const Range& range : ranges_) {
    close_until(range.low);
    emit(range.low);
    at = range.low;
    open.push_back(&range);
  }
  close_until(std::numeric_limits<std::uint64_t>::max());
  ranges_ = std::move(pieces);
}

}  // namespace hprof::symbolize
