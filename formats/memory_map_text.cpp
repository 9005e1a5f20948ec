// SPDX-License-Identifier: Apache-2.0
#include "legacy_model.h"

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

using Region = LegacyProfile::Region;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool all_hex(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_hex); }
bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}
bool is_permissions(std::string_view text) {
  return !text.empty() && text.find_first_not_of("-rwxp") == std::string_view::npos;
}

std::uint64_t hex(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

bool take_hex(std::string_view& text, std::uint64_t& value) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::size_t size = 0;
  while (size < text.size() && is_hex(text[size])) ++size;
  if (size == 0 || size > 16) return false;
  value = hex(text.substr(0, size));
  text.remove_prefix(size);
  return true;
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

std::string_view take_word(std::string_view& text) {
  skip_blanks(text);
  std::size_t size = 0;
  while (size < text.size() && !is_blank(text[size])) ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

std::string_view trim(std::string_view text) {
  skip_blanks(text);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// START-END[:] [PERM] [OFFSET MAJOR:MINOR INODE] [FILE] [(@OFFSET)] [BUILDID]
bool parse_entry(std::string_view line, Region& region, bool& executable) {
  skip_blanks(line);
  if (!take_hex(line, region.start)) return false;
  if (!line.empty() && (line.front() == '-' || is_blank(line.front()))) line.remove_prefix(1);
  skip_blanks(line);
  if (!take_hex(line, region.limit)) return false;
  if (!line.empty() && line.front() == ':') line.remove_prefix(1);
  std::string_view rest = line;
  std::string_view word = take_word(rest);
  executable = true;
  if (is_permissions(word)) {
    executable = word.find('x') != std::string_view::npos;
    line = rest;
    word = take_word(rest);
  }
  // The long form is known by its device "08:01" and inode.
  std::string_view ahead = rest;
  const std::string_view device = take_word(ahead);
  const std::size_t colon = device.find(':');
  if (all_hex(word) && colon != std::string_view::npos && all_hex(device.substr(0, colon)) &&
      all_hex(device.substr(colon + 1))) {
    std::string_view inode = ahead;
    if (all_digits(take_word(inode))) {
      region.offset = hex(word);
      region.file = take_word(inode);
      return true;
    }
  }
  region.file = word;
  word = take_word(rest);
  if (word.starts_with("(@") && word.ends_with(')') && all_hex(word.substr(2, word.size() - 3))) {
    region.offset = hex(word.substr(2, word.size() - 3));
    word = take_word(rest);
  }
  if (all_hex(word)) region.build_id = word;
  return true;
}

// "W0125 12:00:00 file.cc:123] message": logs have maps too.
std::string_view without_log_prefix(std::string_view line) {
  const std::size_t close = line.find("] ");
  if (close == std::string_view::npos || close == 0) return line;
  const std::string_view prefix = line.substr(0, close);
  const std::size_t colon = prefix.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || prefix.find_first_of("[]") != std::string_view::npos ||
      !all_digits(prefix.substr(colon + 1))) {
    return line;
  }
  return line.substr(close + 2);
}

}  // namespace

void parse_memory_map(std::string_view text, std::vector<Region>& regions) {
  std::vector<std::pair<std::string, std::string>> variables;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line{without_log_prefix(text.substr(0, end))};
    text.remove_prefix(std::min(end + 1, text.size()));
    for (const auto& [name, value] : variables) {
      const std::size_t at = line.find(name);
      if (at != std::string::npos) line.replace(at, name.size(), value);
    }
    Region region;
    bool executable = false;
    if (parse_entry(line, region, executable)) {
      if (executable) regions.push_back(std::move(region));
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || variables.size() >= 100) continue;
    variables.emplace_back("$" + std::string{trim(std::string_view{line}.substr(0, equals))},
                           std::string{trim(std::string_view{line}.substr(equals + 1))});
  }
}

}  // namespace hprof::formats
