// SPDX-License-Identifier: Apache-2.0
#include "stack_totals.h"

#include <algorithm>

namespace hprof::formats {
namespace {

std::size_t column_size(const Profile& profile) { return profile.stack_count() + std::size_t{1}; }

// Parents have smaller ids than their children: one sweep backwards sums subtrees.
void include(const Profile& profile, std::vector<std::int64_t>& column) {
  for (std::size_t i = column.size(); i-- > 1;) {
    std::int64_t& parent = column[profile.stack(static_cast<StackId>(i)).parent];
    parent = wrapping_add(parent, column[i]);
  }
}

}  // namespace

void StackTotals::include_descendants(const Profile& profile) {
  include(profile, weight);
  include(profile, delta);
}

StackTotals sum_by_stack(const Profile& profile, std::size_t sample_type) {
  StackTotals sums{std::vector<std::int64_t>(column_size(profile)), {}};
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    std::int64_t& weight = sums.weight[profile.sample_stack(row)];
    weight = wrapping_add(weight, profile.value(sample_type, row));
  }
  return sums;
}

StackTotals difference_by_stack(const Profile& profile, std::size_t sample_type) {
  StackTotals sums{std::vector<std::int64_t>(column_size(profile)), {}};
  std::vector<std::int64_t> base(column_size(profile));
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const std::int64_t value = profile.value(sample_type, row);
    const StackId stack = profile.sample_stack(row);
    if (value < 0) {
      base[stack] = wrapping_subtract(base[stack], value);
    } else {
      sums.weight[stack] = wrapping_add(sums.weight[stack], value);
    }
  }
  sums.delta.resize(base.size());
  for (std::size_t i = 0; i < base.size(); ++i) {
    sums.delta[i] = wrapping_subtract(sums.weight[i], base[i]);
    sums.weight[i] = std::max(sums.weight[i], base[i]);
  }
  return sums;
}

StackChildren::StackChildren(const Profile& profile)
    : first(column_size(profile)), next(column_size(profile)) {
  for (StackId i = profile.stack_count(); i > 0; --i) {
    const StackId parent = profile.stack(i).parent;
    next[i] = first[parent];
    first[parent] = i;
  }
}

}  // namespace hprof::formats
