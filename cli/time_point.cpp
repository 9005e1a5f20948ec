// SPDX-License-Identifier: Apache-2.0
#include "time_point.h"

#include "units.h"

#include <fmt/format.h>

#include <time.h>

#include <charconv>
#include <optional>

namespace hprof::cli {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// Takes exactly `width` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, width)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(width);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

// ".5" or nothing, in ns; digits beyond the ninth are dropped.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  std::int64_t value = 0;
  int digits = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    if (digits++ < 9) value = value * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 9; ++digits) value *= 10;
  return value;
}

struct Clock {
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t fraction_ns = 0;
};

// "HH:MM", ":SS" and a fraction optional unless `with_seconds`.
std::optional<Clock> take_clock(std::string_view& text, bool with_seconds) {
  Clock out;
  const auto hour = take_number(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute) return std::nullopt;
  out.hour = *hour;
  out.minute = *minute;
  if (take(text, ':')) {
    const auto second = take_number(text, 2);
    const auto fraction = second ? take_fraction(text) : std::nullopt;
    if (!fraction) return std::nullopt;
    out.second = *second;
    out.fraction_ns = *fraction;
  } else if (with_seconds) {
    return std::nullopt;
  }
  if (out.hour > 23 || out.minute > 59 || out.second > 60) return std::nullopt;
  return out;
}

tm with_clock(tm day, const Clock& clock) {
  day.tm_hour = clock.hour;
  day.tm_min = clock.minute;
  day.tm_sec = clock.second;
  day.tm_isdst = -1;
  return day;
}

std::optional<std::int64_t> today_or_yesterday(const Clock& clock, std::int64_t now_ns) {
  const time_t now = now_ns / kSecond;
  tm day{};
  if (localtime_r(&now, &day) == nullptr) return std::nullopt;
  for (int back = 0; back < 2; ++back) {
    tm moment = with_clock(day, clock);
    moment.tm_mday -= back;
    const std::int64_t ns = std::int64_t{mktime(&moment)} * kSecond + clock.fraction_ns;
    if (ns <= now_ns) return ns;
  }
  return std::nullopt;
}

// "Z", "+01:00", or nothing for local time.
std::optional<std::int64_t> with_zone(tm moment, std::string_view zone) {
  if (zone.empty()) return mktime(&moment);
  const std::int64_t utc = timegm(&moment);
  if (zone == "Z" || zone == "z") return utc;
  const bool east = zone[0] == '+';
  if (!take(zone, '+') && !take(zone, '-')) return std::nullopt;
  const auto offset = take_clock(zone, false);
  if (!offset || !zone.empty()) return std::nullopt;
  const std::int64_t seconds = offset->hour * 3600 + offset->minute * 60;
  return east ? utc - seconds : utc + seconds;
}

std::optional<std::int64_t> rfc3339(std::string_view text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !(take(text, 'T') || take(text, 't') || take(text, ' '))) return std::nullopt;
  const auto clock = take_clock(text, false);
  if (!clock || *month < 1 || *month > 12 || *day < 1 || *day > 31) return std::nullopt;
  tm moment{};
  moment.tm_year = *year - 1900;
  moment.tm_mon = *month - 1;
  moment.tm_mday = *day;
  const auto seconds = with_zone(with_clock(moment, *clock), text);
  // Beyond these years nanoseconds do not fit 64 bits.
  if (!seconds || *year < 1678 || *year > 2261) return std::nullopt;
  return *seconds * kSecond + clock->fraction_ns;
}

std::optional<std::int64_t> unix_seconds(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto fraction = take_fraction(rest);
  constexpr std::int64_t kMost = 9'223'372'035;
  if (error != std::errc{} || !fraction || !rest.empty()) return std::nullopt;
  if (seconds > kMost || seconds < 0) return std::nullopt;
  return seconds * kSecond + *fraction;
}

}  // namespace

Result<std::int64_t> parse_time_point(std::string_view text, std::int64_t now_ns) {
  std::optional<std::int64_t> found;
  std::string_view rest = text;
  if (take(rest, '@')) {
    found = unix_seconds(rest);
  } else if (take(rest, '-')) {
    HPROF_ASSIGN(const std::chrono::nanoseconds back, parse_duration(rest));
    found = now_ns - back.count();
  } else if (const auto clock = take_clock(rest, false); clock && rest.empty()) {
    found = today_or_yesterday(*clock, now_ns);
  } else {
    found = rfc3339(text);
  }
  if (found) return *found;
  return Error{ErrorKind::usage, fmt::format("'{}' is no moment in time", text),
               "give 2026-11-30T03:00:00Z, 03:00[:00], @1796007600 or -10m"};
}

}  // namespace hprof::cli
