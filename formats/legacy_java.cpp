// SPDX-License-Identifier: Apache-2.0
#include "legacy_java.h"

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "java-text";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "function (file:line)", "function (/path/to/lib)", "generated stub/JIT", "function"
LegacyProfile::Frame frame_of(std::string_view text) {
  LegacyProfile::Frame frame;
  const std::size_t open = text.rfind(" (");
  if (open == std::string_view::npos || !text.ends_with(')')) {
    frame.function = text.find("generated stub/JIT") != std::string_view::npos ? std::string_view{"STUB"} : text;
    return frame;
  }
  frame.function = trim(text.substr(0, open));
  const std::string_view where = text.substr(open + 2, text.size() - open - 3);
  const std::size_t colon = where.rfind(':');
  const auto line = colon == std::string_view::npos || colon == 0 ? std::nullopt : legacy_number(where.substr(colon + 1));
  if (line) {
    frame.file = where.substr(0, colon);
    frame.line = std::max<std::int64_t>(0, *line);
  } else {
    frame.file = where.substr(where.rfind('/') + 1);
  }
  return frame;
}

Result<void> take_attribute(LegacyLines& lines, bool heap, LegacyProfile& profile) {
  const std::string_view line = lines.line();
  const std::size_t equals = line.find('=');
  const std::string_view key = trim(line.substr(0, equals));
  const std::string_view value = trim(line.substr(equals + 1));
  const auto number = [&]() { return legacy_number(value); };
  if (key == "format") {
    if (value != "java") return lines.wrong(kName, "unknown format");
  } else if (key == "resolution") {
    profile.types = heap ? decltype(profile.types){{"inuse_objects", "count"}, {"inuse_space", std::string{value}}}
                         : decltype(profile.types){{"contentions", "count"}, {"delay", std::string{value}}};
  } else if (key == "sampling period" && !heap && number()) {
    profile.period_type = {"contentions", "count"};
    profile.period = *number();
  } else if (key == "ms since reset" && !heap && number() && *number() < INT64_MAX / 1000000) {
    profile.duration_nanos = *number() * 1000000;
  } else {
    return lines.wrong(kName, "unknown attribute");
  }
  return {};
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

}  // namespace

void take_java_symbols(LegacyLines& lines, LegacyProfile& profile) {
  profile.drop_addresses = true;
  do {
    std::string_view line = lines.line();
    if (!line.starts_with("0x")) continue;
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
    if (error != std::errc{}) continue;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (line.empty() || (line.front() != ' ' && line.front() != '\t')) continue;
    profile.names[address] = {frame_of(trim(line))};
  } while (lines.next());
}

Result<Profile> read_java_text(LegacyLines& lines, const ReadOptions& options) {
  const bool heap = lines.line().find("heapz") != std::string_view::npos;
  LegacyProfile profile;
  while (lines.next()) {
    if (lines.line().empty()) continue;
    if (lines.line().find('=') == std::string_view::npos) break;
    HPROF_TRY(take_attribute(lines, heap, profile));
  }
  if (profile.types.empty()) return lines.wrong(kName, "no resolution was given");
  // "BYTES COUNT @ 0x1 0x2", or "DELAY COUNT @ …"
  for (; !lines.line().empty() || !lines.rest().empty(); lines.next()) {
    std::string_view line = lines.line();
    if (line.empty()) continue;
    const std::size_t at = line.find('@');
    if (at == std::string_view::npos) break;
    const std::string_view numbers = trim(line.substr(0, at));
    const std::size_t blank = numbers.find(' ');
    const auto size = legacy_number(numbers.substr(0, blank));
    const auto count = blank == std::string_view::npos ? std::nullopt : legacy_number(numbers.substr(blank));
    auto addresses = hex_addresses(line.substr(at));
    if (!size || !count || !addresses || addresses->size() > options.limits.max_frames) return lines.wrong(kName, "no sample");
    LegacyProfile::Sample sample{.values = {*count, *size}, .addresses = *std::move(addresses), .bytes = {}, .thread = {}, .labels = {}};
    if (heap) {
      constexpr std::int64_t kRate = 524288;
      if (*count <= 0) return lines.wrong(kName, "bytes of no object");
      sample.bytes = *size / *count;
      std::tie(sample.values[0], sample.values[1]) = unsample(*count, *size, kRate);
    } else if (profile.period != 0) {
      for (std::int64_t& value : sample.values) value = times(value, profile.period);
    }
    profile.samples.push_back(std::move(sample));
    if (lines.rest().empty()) break;
  }
  take_java_symbols(lines, profile);
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
