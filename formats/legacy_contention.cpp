// SPDX-License-Identifier: Apache-2.0
#include "legacy_java.h"
#include "legacy_readers.h"
#include "legacy_text.h"

#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "contention";

bool is_contention(std::string_view line) {
  return line.starts_with("--- contentionz ") || line.starts_with("--- mutex:") ||
         line.starts_with("--- contention:");
}
bool is_java_heap(std::string_view line) { return line == "--- heapz 1 ---"; }

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Java's profile has the same first line and says "format = java" below it.
bool is_java(std::string_view text) {
  LegacyLines lines{text};
  for (int i = 0; i < 8 && lines.next(); ++i) {
    if (lines.line().starts_with("format") || lines.line().starts_with("resolution")) return true;
  }
  return false;
}

struct Scale {
  std::int64_t hertz = 0;
};

Result<void> take_attribute(LegacyLines& lines, LegacyProfile& profile, Scale& scale) {
  const std::string_view line = lines.line();
  const std::size_t equals = line.find('=');
  const std::string_view key = trim(line.substr(0, equals));
  if (key == "discarded samples") return {};
  const auto value = legacy_number(line.substr(equals + 1));
  if (!value) return lines.wrong(kName, "no number");
  if (key == "cycles/second") {
    scale.hertz = *value;
  } else if (key == "sampling period") {
    profile.period = *value;
  } else if (key == "ms since reset") {
    profile.duration_nanos = *value < INT64_MAX / 1000000 ? *value * 1000000 : INT64_MAX;
  } else {
    return lines.wrong(kName, "unknown attribute");
  }
  return {};
}

// "DELAY COUNT @ 0x1 0x2": the delay in cycles, or ns where no frequency is given.
std::optional<LegacyProfile::Sample> parse_sample(std::string_view line, const LegacyProfile& profile, Scale scale) {
  const std::size_t at = line.find('@');
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view numbers = trim(line.substr(0, at));
  const std::size_t blank = numbers.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto delay = legacy_number(numbers.substr(0, blank));
  const auto count = legacy_number(numbers.substr(blank));
  auto addresses = hex_addresses(line.substr(at));
  if (!delay || !count || !addresses) return std::nullopt;
  LegacyProfile::Sample sample{.values = {*count, *delay}, .addresses = *std::move(addresses), .bytes = {}, .thread = {}, .labels = {}};
  if (profile.period > 0) {
    sample.values[0] = static_cast<std::int64_t>(static_cast<std::uint64_t>(*count) * static_cast<std::uint64_t>(profile.period));
    if (scale.hertz > 0) {
      const double ns = static_cast<double>(*delay) * static_cast<double>(profile.period) / (static_cast<double>(scale.hertz) / 1e9);
      sample.values[1] = ns < 9.2e18 ? static_cast<std::int64_t>(ns) : INT64_MAX;
    }
  }
  for (std::uint64_t& address : sample.addresses) --address;
  return sample;
}

}  // namespace

Sniff sniff_legacy_contention(const SniffInput& input) {
  const std::string line = first_legacy_line(input);
  return is_contention(line) || is_java_heap(line) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_legacy_contention(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  LegacyLines lines{text};
  while (lines.next() && legacy_blank_or_comment(lines.line())) {
  }
  if (is_java_heap(lines.line()) || (is_contention(lines.line()) && is_java(text))) {
    return read_java_text(lines, options);
  }
  if (!is_contention(lines.line())) return lines.wrong(kName, "no header");
  LegacyProfile profile;
  profile.period = 1;
  profile.period_type = {"contentions", "count"};
  profile.types = {{"contentions", "count"}, {"delay", "nanoseconds"}};
  Scale scale;
  bool more = lines.next();
  for (; more; more = lines.next()) {
    if (legacy_blank_or_comment(lines.line())) continue;
    if (lines.line().starts_with("---") || lines.line().find('=') == std::string_view::npos) break;
    HPROF_TRY(take_attribute(lines, profile, scale));
  }
  for (; more; more = lines.next()) {
    if (legacy_blank_or_comment(lines.line())) {
      take_go_comment(lines.line(), profile);
      continue;
    }
    if (lines.line().starts_with("---")) break;
    auto sample = parse_sample(lines.line(), profile, scale);
    if (!sample || sample->addresses.size() > options.limits.max_frames) return lines.wrong(kName, "no sample");
    profile.samples.push_back(*std::move(sample));
  }
  parse_rest_as_memory_map(lines, profile);
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
