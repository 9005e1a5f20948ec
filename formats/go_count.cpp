// SPDX-License-Identifier: Apache-2.0
#include "legacy_readers.h"
#include "legacy_text.h"

#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "go-text";

// "goroutine profile: total 3" -> "goroutine"
std::string_view kind_of(std::string_view line) {
  const std::size_t at = line.find(" profile: total ");
  if (at == std::string_view::npos || line.find(' ') != at) return {};
  return legacy_number(line.substr(at + 16)) ? line.substr(0, at) : std::string_view{};
}

}  // namespace

Sniff sniff_go_count(const SniffInput& input) {
  return kind_of(first_legacy_line(input)).empty() ? Sniff::no : Sniff::magic;
}

Result<Profile> read_go_count(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  LegacyLines lines{text};
  while (lines.next() && legacy_blank_or_comment(lines.line())) {
  }
  const std::string kind{kind_of(lines.line())};
  if (kind.empty()) return lines.wrong(kName, "no header");
  LegacyProfile profile;
  profile.period = 1;
  profile.period_type = {kind, "count"};
  profile.types = {profile.period_type};
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (legacy_blank_or_comment(line)) {
      take_go_comment(line, profile);
      continue;
    }
    if (line.starts_with("---")) break;
    const std::size_t at = line.find(" @");
    const auto count = at == std::string_view::npos ? std::nullopt : legacy_number(line.substr(0, at));
    auto addresses = hex_addresses(line);
    if (!count || *count < 0 || !addresses || addresses->size() > options.limits.max_frames) {
      return lines.wrong(kName, "no count and stack");
    }
    for (std::uint64_t& address : *addresses) --address;
    profile.samples.push_back({.values = {*count}, .addresses = *std::move(addresses), .bytes = {}, .thread = {}, .labels = {}});
  }
  parse_rest_as_memory_map(lines, profile);
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
