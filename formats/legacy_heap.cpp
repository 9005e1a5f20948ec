// SPDX-License-Identifier: Apache-2.0
#include "legacy_readers.h"
#include "legacy_text.h"

#include <fmt/format.h>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "heap-text";
constexpr std::string_view kStart = "heap profile:";

struct Header {
  std::int64_t period = 1;
  bool sampled = false;  ///< values are to be unbiased with the period
  bool with_allocated = false;
};

// "heap profile: 1: 2 [3: 4] @ heap_v2/524288"
std::optional<Header> parse_header(std::string_view line) {
  const std::size_t at = line.find(kStart);
  if (at == std::string_view::npos) return std::nullopt;
  const auto counts = parse_heap_counts(line.substr(at + kStart.size()));
  if (!counts) return std::nullopt;
  std::string_view kind = counts->rest;
  while (kind.starts_with(' ')) kind.remove_prefix(1);
  if (kind.starts_with("growth") || kind.starts_with("fragmentation")) return Header{};
  Header header;
  const std::size_t slash = std::min(kind.find('/'), kind.size());
  const auto period = slash < kind.size() ? legacy_number(kind.substr(slash + 1)) : 0;
  if (!period) return std::nullopt;
  kind = kind.substr(0, slash);
  header.with_allocated = (counts->allocated != counts->in_use && counts->allocated != 0) ||
                          (counts->allocated_bytes != counts->in_use_bytes && counts->allocated_bytes != 0);
  if (kind == "heapprofile") return header;
  header.sampled = true;
  if (kind == "heap_v2" || kind == "heapz_v2") {
    header.period = *period;
  } else if (kind == "heap") {
    header.period = *period / 2;  // it states twice the mean
  } else {
    return std::nullopt;
  }
  return header;
}

}  // namespace

Sniff sniff_legacy_heap(const SniffInput& input) {
  return parse_header(first_legacy_line(input)) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_legacy_heap(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  LegacyLines lines{text};
  while (lines.next() && legacy_blank_or_comment(lines.line())) {
  }
  const auto header = parse_header(lines.line());
  if (!header) return lines.wrong(kName, "no header of a heap profile");
  LegacyProfile profile;
  profile.period = header->period;
  profile.period_type = {"space", "bytes"};
  if (header->with_allocated) {
    profile.types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"},
                     {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
  } else {
    profile.types = {{"objects", "count"}, {"space", "bytes"}};
  }
  while (lines.next()) {
    if (legacy_blank_or_comment(lines.line())) {
      take_go_comment(lines.line(), profile);
      continue;
    }
    if (is_memory_map_sentinel(lines.line())) break;
    const auto counts = parse_heap_counts(lines.line());
    if (!counts) return lines.wrong(kName, "no sample");
    LegacyProfile::Sample sample;
    if (!add_heap_values(*counts, header->with_allocated, header->sampled ? header->period : 0, sample)) {
      return lines.wrong(kName, "bytes of no object");
    }
    auto addresses = hex_addresses(counts->rest);
    if (!addresses || addresses->size() > options.limits.max_frames) return lines.wrong(kName, "bad addresses");
    for (std::uint64_t& address : *addresses) --address;  // all are return addresses
    sample.addresses = *std::move(addresses);
    profile.samples.push_back(std::move(sample));
  }
  parse_rest_as_memory_map(lines, profile);
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
