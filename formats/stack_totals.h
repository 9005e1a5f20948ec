// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <vector>

namespace hprof::formats {

/// Two's complement sums: a profile with absurd values shows absurd numbers, never undefined ones.
inline std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// One value by stack of the trie. Columns are indexed by StackId.
struct StackTotals {
  std::vector<std::int64_t> weight;  ///< of the samples with exactly this stack
  std::vector<std::int64_t> delta;   ///< see difference_by_stack(); else empty

  /// Makes weight (and delta) include all descendants.
  void include_descendants(const Profile& profile);
};

/// Sums a column by stack.
StackTotals sum_by_stack(const Profile& profile, std::size_t sample_type);

/// Sums a column of a difference: values above zero are the profile's side, below zero the base's.
/// `weight` is the larger side, `delta` profile minus base.
StackTotals difference_by_stack(const Profile& profile, std::size_t sample_type);

/// The trie from the root down: children of a stack in ascending order.
struct StackChildren {
  explicit StackChildren(const Profile& profile);
  std::vector<StackId> first;  ///< 0: none
  std::vector<StackId> next;   ///< sibling, 0: none
};

}  // namespace hprof::formats
