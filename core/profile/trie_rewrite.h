// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <vector>

namespace hprof {

// Filters walk the trie once instead of every sample: parents have smaller ids than their children,
// so what is decided from the root downwards is a loop over ids.

inline constexpr StackId kDroppedStack = 0xffffffff;

/// Gives each sample the stack `stacks[old stack]`; samples of kDroppedStack go.
inline void replace_stacks(Profile& profile, const std::vector<StackId>& stacks) {
  std::vector<Profile::Row> rows;
  rows.reserve(profile.sample_count());
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const StackId stack = stacks[profile.sample_stack(row)];
    if (stack != kDroppedStack) rows.push_back({row, stack, profile.sample_labels(row)});
  }
  profile.select_rows(rows);
}

}  // namespace hprof
