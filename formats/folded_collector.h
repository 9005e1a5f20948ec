// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_blocks.h"

#include <hprof/core/profile/profile.h>
#include <hprof/formats/registry.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof::formats {

/// A count of a folded line: digits * 10^-scale.
struct FoldedCount {
  std::int64_t digits = 0;
  int scale = 0;  ///< 0 to kMaxFoldedScale; zeros at the end are dropped
};
constexpr int kMaxFoldedScale = 6;

/// "12", "-3", "1.50"; finer fractions than kMaxFoldedScale digits are cut. nullopt if it is none.
std::optional<FoldedCount> parse_folded_count(std::string_view text);

/// Counts the stacks of folded lines. One object for each thread; merge_folded() joins them.
class FoldedCollector {
 public:
  explicit FoldedCollector(ReadOptions options) : options_(std::move(options)) {}

  void parse(const TextBlock& block);
  /// Brings all values to `scale` fraction digits; false if one does not fit 64 bits then.
  [[nodiscard]] bool rescale(int scale);

  struct Row {
    StackId stack = 0;
    std::uint64_t block = 0;  ///< where it was first met
    std::int64_t value = 0;
    std::int64_t before = 0;  ///< differential input only
  };
  struct BadLine {
    std::uint64_t block = 0;
    std::uint64_t line = 0;
    std::string text;
  };

  Profile profile;  ///< tables only
  std::vector<Row> rows;
  std::vector<std::string> comments;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> block_lines;
  std::optional<BadLine> first_bad;
  std::uint64_t bad_lines = 0;
  std::uint64_t stacks = 0;            ///< lines that are stacks
  std::uint64_t differential = 0;      ///< of these, lines that end in two numbers
  std::uint64_t rounded = 0;           ///< values that did not fit their fraction
  int scale = 0;

 private:
  struct Frame {
    std::size_t end = 0;  ///< in the text of the last stack
    StackId stack = 0;
  };

  void line(std::string_view text);
  StackId stack(std::string_view text);
  LocationId frame(std::string_view name);
  std::int64_t scaled(FoldedCount count);
  void add(StackId stack, std::int64_t before, std::int64_t value);
  void bad(std::string_view text);

  ReadOptions options_;
  std::uint64_t block_ = 0;
  std::uint64_t line_number_ = 0;
  std::string_view last_text_;
  std::vector<Frame> last_frames_;
  std::vector<LocationId> location_of_name_;  ///< by StringId
  std::vector<std::uint32_t> row_of_stack_;   ///< row + 1 by StackId, 0: none
};

}  // namespace hprof::formats
