// SPDX-License-Identifier: Apache-2.0
#include "folded_collector.h"

#include <string.h>

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::int64_t kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim_end(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Splits the last word off; both views are trimmed.
std::string_view take_last_word(std::string_view& text) {
  std::size_t at = text.size();
  while (at > 0 && !is_blank(text[at - 1])) --at;
  const std::string_view word = text.substr(at);
  text = trim_end(text.substr(0, at));
  return word;
}

// Whether the last word may be a count; looks no further than its digits, names are long.
bool ends_in_number(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (is_digit(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '-')) --at;
  return at < text.size() && at > 0 && is_blank(text[at - 1]);
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    memcpy(&x, a.data() + at, 8);
    memcpy(&y, b.data() + at, 8);
    if (x != y) break;
  }
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

bool multiply(std::int64_t& value, std::int64_t factor) {
  return !__builtin_mul_overflow(value, factor, &value);
}

}  // namespace

std::optional<FoldedCount> parse_folded_count(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  FoldedCount count;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count.digits);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) {
    if (text.front() != '.' || !std::all_of(text.begin() + 1, text.end(), is_digit)) {
      return std::nullopt;
    }
    text = text.substr(1, kMaxFoldedScale);
    while (text.ends_with('0')) text.remove_suffix(1);
    for (const char c : text) {
      // A whole part so large that no fraction fits beside it is kept without.
      std::int64_t more = count.digits;
      if (!multiply(more, 10) || __builtin_add_overflow(more, c - '0', &more)) break;
      count.digits = more;
      ++count.scale;
    }
  }
  if (negative) count.digits = -count.digits;
  return count;
}

void FoldedCollector::parse(const TextBlock& block) {
  block_ = block.index;
  line_number_ = 0;
  last_text_ = {};
  last_frames_.clear();
  const char* at = block.text.data();
  const char* const end = at + block.text.size();
  while (at < end) {
    const void* found = memchr(at, '\n', static_cast<std::size_t>(end - at));
    const char* stop = found == nullptr ? end : static_cast<const char*>(found);
    ++line_number_;
    line({at, static_cast<std::size_t>(stop - at)});
    at = stop + 1;
  }
  block_lines.emplace_back(block_, line_number_);
}

void FoldedCollector::line(std::string_view text) {
  text = trim_end(text);
  if (text.empty()) return;
  if (text.starts_with("# ") || text == "#") {
    if (text.size() > 2 && comments.size() < 1000) comments.emplace_back(text.substr(2));
    return;
  }
  const std::string_view whole = text;
  const auto last = parse_folded_count(take_last_word(text));
  if (!last || text.empty()) return bad(whole);
  std::string_view name = text;
  const auto first = ends_in_number(text) ? parse_folded_count(take_last_word(name)) : std::nullopt;
  const bool two = first && !name.empty();
  if (options_.diff && !two) return bad(whole);
  ++stacks;
  differential += two ? 1 : 0;
  if (options_.diff) {
    add(stack(name), scaled(*first), scaled(*last));
  } else {
    add(stack(text), 0, scaled(*last));
  }
}

// Lines are sorted as a rule: the frames that a line shares with the one before are not looked up.
StackId FoldedCollector::stack(std::string_view text) {
  const std::size_t common = common_prefix(text, last_text_);
  while (!last_frames_.empty()) {
    const std::size_t end = last_frames_.back().end;
    if (end <= common && (end == text.size() || text[end] == ';')) break;
    last_frames_.pop_back();
  }
  last_text_ = text;
  std::size_t at = last_frames_.empty() ? 0 : last_frames_.back().end + 1;
  StackId id = last_frames_.empty() ? 0 : last_frames_.back().stack;
  while (at <= text.size()) {
    const void* found = at == text.size() ? nullptr : memchr(text.data() + at, ';', text.size() - at);
    const std::size_t end =
        found == nullptr ? text.size()
                         : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    if (last_frames_.size() < options_.limits.max_frames) {
      id = profile.intern_stack(id, frame(text.substr(at, end - at)));
      last_frames_.push_back({end, id});
    }
    at = end + 1;
  }
  return id;
}

LocationId FoldedCollector::frame(std::string_view name) {
  const StringId id = profile.intern(name);
  if (id >= location_of_name_.size()) {
    location_of_name_.resize(std::max<std::size_t>(id + 1, location_of_name_.size() * 2), 0);
  }
  if (location_of_name_[id] == 0) {
    const Line line{profile.intern_function(name), 0, 0};
    location_of_name_[id] = profile.intern_location(0, 0, {&line, 1});
  }
  return location_of_name_[id];
}

std::int64_t FoldedCollector::scaled(FoldedCount count) {
  if (count.scale > scale && !rescale(count.scale)) {
    ++rounded;
    return count.digits / kPowers[count.scale - scale];
  }
  std::int64_t value = count.digits;
  if (!multiply(value, kPowers[scale - count.scale])) {
    ++rounded;
    return count.digits < 0 ? INT64_MIN : INT64_MAX;
  }
  return value;
}

bool FoldedCollector::rescale(int wanted) {
  if (wanted <= scale) return true;
  const std::int64_t factor = kPowers[wanted - scale];
  for (const Row& row : rows) {
    std::int64_t value = row.value;
    std::int64_t before = row.before;
    if (!multiply(value, factor) || !multiply(before, factor)) return false;
  }
  for (Row& row : rows) {
    row.value *= factor;
    row.before *= factor;
  }
  scale = wanted;
  return true;
}

void FoldedCollector::add(StackId stack, std::int64_t before, std::int64_t value) {
  if (stack >= row_of_stack_.size()) {
    row_of_stack_.resize(std::max<std::size_t>(stack + 1, row_of_stack_.size() * 2), 0);
  }
  if (row_of_stack_[stack] == 0) {
    rows.push_back({stack, block_, 0, 0});
    row_of_stack_[stack] = static_cast<std::uint32_t>(rows.size());
  }
  Row& row = rows[row_of_stack_[stack] - 1];
  // Sums wrap as everywhere in a profile; they are never undefined.
  row.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(row.value) +
                                        static_cast<std::uint64_t>(value));
  row.before = static_cast<std::int64_t>(static_cast<std::uint64_t>(row.before) +
                                         static_cast<std::uint64_t>(before));
}

void FoldedCollector::bad(std::string_view text) {
  ++bad_lines;
  if (!first_bad) first_bad = BadLine{block_, line_number_, std::string{text.substr(0, 80)}};
}

}  // namespace hprof::formats
