// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof::formats {

/// From ids a file chose (any 64-bit number) to rows of ours; 0 for an unknown id. Ids near the
/// number of entries, the rule, cost one array read.
class IdMap {
 public:
  /// `expected`: how many entries the file has, already counted, so its bytes paid for the memory.
  explicit IdMap(std::size_t expected = 0) : dense_(2 * expected + 64, 0) {}

  /// False if the id is taken.
  bool add(std::uint64_t id, std::uint32_t row) {
    if (id < dense_.size()) {
      if (dense_[id] != 0) return false;
      dense_[id] = row;
      return true;
    }
    return sparse_.emplace(id, row).second;
  }
  [[nodiscard]] std::uint32_t operator[](std::uint64_t id) const {
    if (id < dense_.size()) return dense_[id];
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? 0 : found->second;
  }

 private:
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
};

}  // namespace hprof::formats
