// SPDX-License-Identifier: Apache-2.0
#include "harmony_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hprof::cli {
namespace {

/// Takes one number off the front of `text`.
bool take_number(std::string_view& text, unsigned& out) {
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, out);
  if (problem != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
  return true;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool parse_parts(std::string_view text, HarmonyVersion& out) {
  take(text, 'v');
  if (!take_number(text, out.major) || !take(text, '.') || !take_number(text, out.minor)) {
    return false;
  }
  if (take(text, '.') && !take_number(text, out.patch)) return false;
  if (text.empty()) return true;
  const char mark = text.front();
  return (mark == '-' || mark == '+') && text.size() > 1;
}

}  // namespace

std::string HarmonyVersion::text() const {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

Result<HarmonyVersion> parse_harmony_version(std::string_view text) {
  HarmonyVersion version;
  if (!parse_parts(text, version)) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("\"{}\" is no version; {}", text, kHarmonyRange),
                 {}};
  }
  return std::max(version, kOldestHarmonyStep);
}

}  // namespace hprof::cli
