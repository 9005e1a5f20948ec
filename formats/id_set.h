// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace hprof::formats {

/// Ids a file chose, any 64-bit number: bits for small ones, a hash set for the rest.
class IdSet {
 public:
  /// False if it was there.
  bool insert(std::uint64_t id) {
    if (id >= kDense) return sparse_.insert(id).second;
    const std::size_t word = id / 64;
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if (word >= bits_.size()) bits_.resize(std::max<std::size_t>(word + 1, bits_.size() * 2), 0);
    const bool fresh = (bits_[word] & bit) == 0;
    bits_[word] |= bit;
    return fresh;
  }

  /// An id of ours that `other` lacks.
  [[nodiscard]] std::optional<std::uint64_t> missing_in(const IdSet& other) const {
    for (std::size_t word = 0; word < bits_.size(); ++word) {
      const std::uint64_t theirs = word < other.bits_.size() ? other.bits_[word] : 0;
      const std::uint64_t lacking = bits_[word] & ~theirs;
      if (lacking != 0) {
        return word * 64 + static_cast<std::uint64_t>(std::countr_zero(lacking));
      }
    }
    for (const std::uint64_t id : sparse_) {
      if (!other.sparse_.contains(id)) return id;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kDense = std::uint64_t{1} << 26;  // 8 MiB of bits at most

  std::vector<std::uint64_t> bits_;
  std::unordered_set<std::uint64_t> sparse_;
};

}  // namespace hprof::formats
