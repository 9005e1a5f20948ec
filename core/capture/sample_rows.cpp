// SPDX-License-Identifier: Apache-2.0
#include "sample_rows.h"

namespace hprof {
namespace {

std::uint64_t hash_row(std::uint32_t stack, std::uint32_t who) {
  return combine_hash(stack + 1, who);
}

}  // namespace

void SampleRows::insert(std::uint32_t stack, std::uint32_t who,
                        std::span<const std::int64_t> values) {
  const auto row = static_cast<std::uint32_t>(stacks_.size());
  stacks_.push_back(stack);
  whos_.push_back(who);
  for (std::size_t i = 0; i < columns_; ++i) values_.push_back(i < values.size() ? values[i] : 0);
  index_.insert(hash_row(stack, who), row,
                [this](std::uint32_t r) { return hash_row(stacks_[r], whos_[r]); });
}

bool SampleRows::add(const StackSample& sample, bool may_grow) {
  const auto stack = table_.find_stack(sample, may_grow);
  const auto who = table_.find_who(sample, may_grow);
  if (!stack || !who) return false;
  const std::uint32_t row = index_.find(hash_row(*stack, *who), [&](std::uint32_t r) {
    return stacks_[r] == *stack && whos_[r] == *who;
  });
  if (row == InternTable::kNotFound) {
    if (may_grow) insert(*stack, *who, sample.values);
    return may_grow;
  }
  for (std::size_t i = 0; i < std::min(columns_, sample.values.size()); ++i) {
    values_[row * columns_ + i] += sample.values[i];
  }
  return true;
}

bool SampleRows::has_news(std::size_t row, const TakenValues& taken) const {
  for (std::size_t i = row * columns_; i < (row + 1) * columns_; ++i) {
    if (values_[i] != (i < taken.size() ? taken[i] : 0)) return true;
  }
  return false;
}

std::size_t SampleRows::memory_bytes() const {
  return table_.memory_bytes() + size() * (32 + columns_ * sizeof(std::int64_t));
}

SampleRows SampleRows::rebuilt(const std::function<bool(std::size_t)>& keep) const {
  SampleRows out{columns_};
  for (std::size_t row = 0; row < size(); ++row) {
    if (!keep(row)) continue;
    out.insert(out.table_.adopt_stack(table_, stacks_[row]),
               out.table_.adopt_who(table_, whos_[row]),
               std::span{values_}.subspan(row * columns_, columns_));
  }
  return out;
}

}  // namespace hprof
