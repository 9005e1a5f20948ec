// SPDX-License-Identifier: Apache-2.0
#include "legacy_readers.h"
#include "legacy_text.h"

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "threadz";

// "--- threadz 1 ---"
bool is_threadz(std::string_view line) {
  const std::size_t at = line.find("--- threadz ");
  return at != std::string_view::npos && line.ends_with(" ---");
}

// "--- Thread 7f (name: worker/123) stack: ---"
bool is_thread(std::string_view line) {
  return line.starts_with("--- Thread ") && line.find(" (name: ") != std::string_view::npos &&
         line.ends_with(") stack: ---");
}

}  // namespace

Sniff sniff_legacy_threads(const SniffInput& input) {
  const std::string line = first_legacy_line(input);
  return is_threadz(line) || is_thread(line) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_legacy_threads(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  LegacyLines lines{text};
  while (lines.next() && legacy_blank_or_comment(lines.line())) {
  }
  if (is_threadz(lines.line())) {
    while (lines.next() && !lines.line().starts_with('-') && !is_memory_map_sentinel(lines.line())) {
    }
  } else if (!is_thread(lines.line())) {
    return lines.wrong(kName, "no header");
  }
  LegacyProfile profile;
  profile.period = 1;
  profile.period_type = {"thread", "count"};
  profile.types = {profile.period_type};
  while (!lines.line().empty() && !is_memory_map_sentinel(lines.line())) {
    if (lines.line().starts_with("---- no stack trace for")) break;
    if (!is_thread(lines.line())) return lines.wrong(kName, "no thread");
    LegacyProfile::Sample sample{.values = {1}, .addresses = {}, .bytes = {}, .thread = {}, .labels = {}};
    bool same = false;
    while (lines.next() && !lines.line().starts_with("---")) {
      if (lines.line().find("same as previous thread") != std::string_view::npos) {
        same = true;
        continue;
      }
      const auto addresses = hex_addresses(lines.line());
      if (!addresses || sample.addresses.size() > options.limits.max_frames) return lines.wrong(kName, "bad addresses");
      sample.addresses.insert(sample.addresses.end(), addresses->begin(), addresses->end());
    }
    if (same || sample.addresses.empty()) {
      if (!profile.samples.empty()) ++profile.samples.back().values[0];
      continue;
    }
    for (std::size_t i = 1; i < sample.addresses.size(); ++i) --sample.addresses[i];
    profile.samples.push_back(std::move(sample));
  }
  parse_rest_as_memory_map(lines, profile);
  // The innermost frame may be there twice: from the signal and from unwinding.
  for (LegacyProfile::Sample& sample : profile.samples) {
    if (sample.addresses.size() > 1 && sample.addresses[0] == sample.addresses[1] + 1) {
      sample.addresses.erase(sample.addresses.begin() + 1);
    }
  }
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
