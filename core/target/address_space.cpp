// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/address_space.h>

#include <algorithm>
#include <utility>

namespace hprof {

const MappedRange* AddressSpace::find(std::uint64_t address) const {
  auto after = std::ranges::upper_bound(ranges_, address, {}, &MappedRange::start);
  if (after == ranges_.begin()) return nullptr;
  const MappedRange& range = *std::prev(after);
  return address < range.end ? &range : nullptr;
}

void AddressSpace::unmap(std::uint64_t start, std::uint64_t end) {
  ++generation_;
  if (start >= end) return;
  auto first = std::ranges::upper_bound(ranges_, start, {}, &MappedRange::end);
  std::vector<MappedRange> kept;
  auto last = first;
  for (; last != ranges_.end() && last->start < end; ++last) {
    if (last->start < start) kept.push_back({last->start, start, last->file_offset, last->module});
    if (last->end > end) {
      kept.push_back({end, last->end, last->file_offset + (end - last->start), last->module});
    }
  }
  const auto at = ranges_.erase(first, last);
  ranges_.insert(at, std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
}

void AddressSpace::map(MappedRange range) {
  if (range.start >= range.end) return;
  unmap(range.start, range.end);
  const auto at = std::ranges::upper_bound(ranges_, range.start, {}, &MappedRange::start);
  ranges_.insert(at, std::move(range));
}

}  // namespace hprof
