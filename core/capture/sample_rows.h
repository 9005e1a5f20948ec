// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stack_table.h"

#include <functional>

namespace hprof {

/// What one cursor has taken of each row, in step with the rows.
using TakenValues = std::vector<std::int64_t>;

/// Rows of (stack, thread) with their values so far; they only ever grow, until rebuilt.
class SampleRows {
 public:
  explicit SampleRows(std::size_t columns) : columns_(columns) {}

  /// Adds to the row of a sample. Returns false, and adds nothing, if it would be a new row and
  /// `may_grow` is false.
  [[nodiscard]] bool add(const StackSample& sample, bool may_grow);

  [[nodiscard]] std::size_t size() const { return stacks_.size(); }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::uint32_t stack(std::size_t row) const { return stacks_[row]; }
  [[nodiscard]] std::uint32_t who(std::size_t row) const { return whos_[row]; }
  /// All values, row by row.
  [[nodiscard]] const std::vector<std::int64_t>& values() const { return values_; }
  [[nodiscard]] const StackTable& table() const { return table_; }
  /// Whether a reader that took `taken` has something left in the row.
  [[nodiscard]] bool has_news(std::size_t row, const TakenValues& taken) const;
  [[nodiscard]] std::size_t memory_bytes() const;

  /// The rows that `keep` wants, in their order, with fresh tables.
  [[nodiscard]] SampleRows rebuilt(const std::function<bool(std::size_t)>& keep) const;

 private:
  void insert(std::uint32_t stack, std::uint32_t who, std::span<const std::int64_t> values);

  std::size_t columns_;
  StackTable table_;
  std::vector<std::uint32_t> stacks_;
  std::vector<std::uint32_t> whos_;
  std::vector<std::int64_t> values_;
  InternTable index_;
};

}  // namespace hprof
