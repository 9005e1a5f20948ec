// SPDX-License-Identifier: Apache-2.0
#include "unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

namespace hprof::cli {
namespace {

using Lines = std::vector<std::string_view>;

/// Lines with their newlines; the last may lack one.
Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t size = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

void put(std::string& out, char mark, std::span<const std::string_view> lines) {
  for (const std::string_view line : lines) {
    out += mark;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

/// "12,6", "12" for one line; an empty range names the line before it. Source: POSIX diff -U.
std::string range(std::size_t first, std::size_t count) {
  if (count == 1) return fmt::format("{}", first + 1);
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name, std::string_view after_name) {
  if (before == after) return {};
  const Lines a = split(before);
  const Lines b = split(after);
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;

  constexpr std::size_t kContext = 3;
  const std::size_t lead = std::min(head, kContext);
  const std::size_t trail = std::min(tail, kContext);
  const std::size_t first = head - lead;
  const std::size_t gone = a.size() - head - tail;
  const std::size_t come = b.size() - head - tail;
  std::string out =
      fmt::format("--- {}\n+++ {}\n@@ -{} +{} @@\n", before_name, after_name,
                  range(first, lead + gone + trail), range(first, lead + come + trail));
  const std::span<const std::string_view> old_lines{a};
  const std::span<const std::string_view> new_lines{b};
  put(out, ' ', old_lines.subspan(first, lead));
  put(out, '-', old_lines.subspan(head, gone));
  put(out, '+', new_lines.subspan(head, come));
  put(out, ' ', old_lines.subspan(head + gone, trail));
  return out;
}

}  // namespace hprof::cli
