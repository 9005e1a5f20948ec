// SPDX-License-Identifier: Apache-2.0
#include "legacy_readers.h"
#include "legacy_text.h"

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "jemalloc";
constexpr std::string_view kStart = "heap_v2/";

std::optional<std::int64_t> rate_of(std::string_view line) {
  if (!line.starts_with(kStart)) return std::nullopt;
  const auto rate = legacy_number(line.substr(kStart.size()));
  return rate && *rate > 0 ? rate : std::nullopt;
}

bool has_allocated(std::string_view text) {
  LegacyLines lines{text};
  while (lines.next() && !is_memory_map_sentinel(lines.line())) {
    const std::size_t colon = lines.line().find(':');
    if (!lines.line().starts_with('t') || colon == std::string_view::npos) continue;
    const auto counts = parse_heap_counts(lines.line().substr(colon + 1));
    if (counts && (counts->allocated != 0 || counts->allocated_bytes != 0)) return true;
  }
  return false;
}

}  // namespace

Sniff sniff_jemalloc_heap(const SniffInput& input) {
  return rate_of(first_legacy_line(input)) ? Sniff::magic : Sniff::no;
}

// heap_v2/RATE
//   t*: N: B [N: B]        totals, of all threads and of each
// @ 0x1 0x2                a stack, innermost first
//   t*: N: B [N: B]        all threads together
//   t7: N: B [N: B]        each of them
Result<Profile> read_jemalloc_heap(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  LegacyLines lines{text};
  lines.next();
  const auto rate = rate_of(lines.line());
  if (!rate) return lines.wrong(kName, "no header");
  LegacyProfile profile;
  profile.period = *rate;
  profile.period_type = {"space", "bytes"};
  const bool with_allocated = has_allocated(text);
  if (with_allocated) {
    profile.types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"},
                     {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
  } else {
    profile.types = {{"objects", "count"}, {"space", "bytes"}};
  }
  std::optional<std::vector<std::uint64_t>> stack;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    if (is_memory_map_sentinel(line)) break;
    if (line.starts_with('@')) {
      stack = hex_addresses(line);
      if (!stack || stack->size() > options.limits.max_frames) return lines.wrong(kName, "bad addresses");
      for (std::uint64_t& address : *stack) --address;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (!line.starts_with('t') || colon == std::string_view::npos) return lines.wrong(kName, "no count");
    const auto counts = parse_heap_counts(line.substr(colon + 1));
    if (!counts) return lines.wrong(kName, "no count");
    if (!stack || line.starts_with("t*")) continue;
    LegacyProfile::Sample sample;
    sample.thread = legacy_number(line.substr(1, colon - 1));
    if (!sample.thread) return lines.wrong(kName, "no thread number");
    if (!add_heap_values(*counts, with_allocated, *rate, sample)) return lines.wrong(kName, "bytes of no object");
    sample.addresses = *stack;
    profile.samples.push_back(std::move(sample));
  }
  parse_rest_as_memory_map(lines, profile);
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
