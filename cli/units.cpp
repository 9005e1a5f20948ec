// SPDX-License-Identifier: Apache-2.0
#include "units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <span>

namespace hprof::cli {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};

constexpr UnitName kTimes[] = {
    {"ns", 1},     {"us", 1e3},   {"ms", 1e6},    {"s", 1e9},         {"sec", 1e9}, {"m", 60e9},
    {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}, {"w", 7 * 86400e9}, {"µs", 1e3},  {"", 1e9},
};

constexpr double kKi = 1024;
constexpr UnitName kSizes[] = {
    {"", 1},
    {"b", 1},
    {"k", kKi},
    {"kib", kKi},
    {"kb", 1e3},
    {"m", kKi* kKi},
    {"mib", kKi* kKi},
    {"mb", 1e6},
    {"g", kKi* kKi* kKi},
    {"gib", kKi* kKi* kKi},
    {"gb", 1e9},
    {"t", kKi* kKi* kKi* kKi},
    {"tib", kKi* kKi* kKi* kKi},
    {"tb", 1e12},
};

Error not_a(std::string_view text, std::string_view what, std::string_view examples) {
  return {ErrorKind::usage, fmt::format("'{}' is not {}", text, what),
          fmt::format("write {}", examples)};
}

std::string_view skip_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

/// Takes a decimal number off the front of `text`; negative, infinite and missing ones fail.
bool take_number(std::string_view& text, double& value,
                 std::chars_format format = std::chars_format::fixed) {
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (problem != std::errc{} || !std::isfinite(value) || std::signbit(value)) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Takes the letters in front of the next digit or space.
std::string take_unit(std::string_view& text) {
  std::string unit;
  while (!text.empty() && text.front() != ' ' && (text.front() < '0' || text.front() > '9')) {
    unit += text.front();
    text.remove_prefix(1);
  }
  return unit;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

const double* factor_of(std::span<const UnitName> units, std::string_view name) {
  for (const UnitName& unit : units) {
    if (unit.name == name) return &unit.factor;
  }
  return nullptr;
}

constexpr double kMaxInt64 = 9.2e18;

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const Error bad = not_a(text, "a duration", "500ms, 30s, 10m, 1h30m or 7d");
  std::string_view rest = skip_spaces(text);
  double total = 0;
  bool first = true;
  while (first || !rest.empty()) {
    double number = 0;
    if (!take_number(rest, number)) return bad;
    rest = skip_spaces(rest);
    const std::string unit = take_unit(rest);
    const double* factor = factor_of(kTimes, unit);
    // Only a number that stands alone may lack its unit: "1h30" could mean minutes or seconds.
    if (factor == nullptr || (unit.empty() && (!first || !rest.empty()))) return bad;
    total += number * *factor;
    first = false;
    rest = skip_spaces(rest);
  }
  if (total > kMaxInt64) return not_a(text, "a duration that fits", "at most 292 years");
  return std::chrono::nanoseconds{std::llround(total)};
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  const Error bad = not_a(text, "a size", "4096, 512k, 64MiB or 1G");
  std::string_view rest = skip_spaces(text);
  double number = 0;
  if (!take_number(rest, number)) return bad;
  rest = skip_spaces(rest);
  const double* factor = factor_of(kSizes, lower(take_unit(rest)));
  if (factor == nullptr || !skip_spaces(rest).empty()) return bad;
  const double total = number * *factor;
  if (total > kMaxInt64) return not_a(text, "a size that fits", "less than 8 million TiB");
  return static_cast<std::uint64_t>(std::llround(total));
}

Result<double> parse_percent(std::string_view text) {
  std::string_view rest = skip_spaces(text);
  double number = 0;
  const bool good = take_number(rest, number, std::chars_format::general);
  rest = skip_spaces(rest);
  if (!good || (!rest.empty() && rest != "%")) return not_a(text, "a percentage", "5 or 2.5%");
  return number;
}

Result<double> parse_rate(std::string_view text) {
  std::string_view rest = skip_spaces(text);
  double number = 0;
  const bool good = take_number(rest, number, std::chars_format::general);
  rest = skip_spaces(rest);
  if (!good || number <= 0 || (!rest.empty() && lower(std::string{rest}) != "hz")) {
    return not_a(text, "a rate", "the samples a second, such as 99 or 999Hz");
  }
  return number;
}

Result<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) {
    return not_a(text, "a whole number", "0 or more");
  }
  return value;
}

Result<Switch> parse_switch(std::string_view text) {
  const std::string word = lower(std::string{text});
  if (word == "true" || word == "yes" || word == "on" || word == "1") return Switch::on;
  if (word == "false" || word == "no" || word == "off" || word == "0") return Switch::off;
  return not_a(text, "a switch", "true or false");
}

std::string format_duration(std::chrono::nanoseconds duration) {
  constexpr std::pair<std::int64_t, std::string_view> kParts[] = {
      {86'400'000'000'000, "d"},
      {3'600'000'000'000, "h"},
      {60'000'000'000, "m"},
      {1'000'000'000, "s"},
      {1'000'000, "ms"},
      {1'000, "us"},
      {1, "ns"},
  };
  std::int64_t left = duration.count();
  std::string text;
  for (const auto& [size, name] : kParts) {
    if (left < size) continue;
    text += fmt::format("{}{}", left / size, name);
    left %= size;
  }
  return text.empty() ? "0s" : text;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::string_view kNames[] = {"", "KiB", "MiB", "GiB", "TiB"};
  std::size_t step = 0;
  while (bytes != 0 && bytes % 1024 == 0 && step + 1 < std::size(kNames)) {
    bytes /= 1024;
    ++step;
  }
  return fmt::format("{}{}", bytes, kNames[step]);
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::string_view kNames[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t step = 0;
  for (; value >= 1024 && step + 1 < std::size(kNames); ++step) value /= 1024;
  return step == 0 || value >= 100 ? fmt::format("{:.0f} {}", value, kNames[step])
                                   : fmt::format("{:.1f} {}", value, kNames[step]);
}

std::string human_count(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace hprof::cli
