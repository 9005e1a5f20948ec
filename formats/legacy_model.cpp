// SPDX-License-Identifier: Apache-2.0
#include "legacy_model.h"

#include "legacy_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hprof::formats {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\v\f");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\v\f") - first + 1);
}

std::int64_t to_integer(double value) {
  if (!(value < 9.2e18)) return INT64_MAX;
  if (value < -9.2e18) return INT64_MIN;
  return static_cast<std::int64_t>(value);
}

}  // namespace

bool LegacyLines::next() {
  if (rest_.empty()) {
    line_ = {};
    return false;
  }
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = trim(rest_.substr(0, end));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

Error LegacyLines::wrong(std::string_view format, std::string_view what) const {
  return {ErrorKind::malformed_input,
          fmt::format("{}: line {}: {}: '{}'", format, number_, what, line_.substr(0, 80)), {}};
}

bool legacy_blank_or_comment(std::string_view line) { return line.empty() || line.front() == '#'; }

bool is_memory_map_sentinel(std::string_view line) {
  return line.find("--- Memory map: ---") != std::string_view::npos ||
         line.find("MAPPED_LIBRARIES:") != std::string_view::npos;
}

std::optional<std::vector<std::uint64_t>> hex_addresses(std::string_view text) {
  std::vector<std::uint64_t> out;
  for (std::size_t at = text.find("0x"); at != std::string_view::npos; at = text.find("0x", at)) {
    at += 2;
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + at, end, value, 16);
    if (error == std::errc::result_out_of_range) return std::nullopt;
    if (error != std::errc{}) continue;
    out.push_back(value);
    at = static_cast<std::size_t>(stop - text.data());
  }
  return out;
}

std::optional<std::int64_t> legacy_number(std::string_view text) {
  text = trim(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void parse_rest_as_memory_map(LegacyLines& lines, LegacyProfile& profile) {
  while (!is_memory_map_sentinel(lines.line())) {
    if (!lines.next()) return;
  }
  parse_memory_map(lines.rest(), profile.regions);
}

std::pair<std::int64_t, std::int64_t> unsample(std::int64_t count, std::int64_t size,
                                               std::int64_t rate) {
  if (count == 0 || size == 0) return {0, 0};
  if (rate <= 1) return {count, size};
  const double average = static_cast<double>(size) / static_cast<double>(count);
  const double scale = 1 / (1 - std::exp(-average / static_cast<double>(rate)));
  return {to_integer(static_cast<double>(count) * scale), to_integer(static_cast<double>(size) * scale)};
}

namespace {

/// Puts a LegacyProfile into tables.
class LegacyBuilder {
 public:
  explicit LegacyBuilder(LegacyProfile& from) : from_(from) {}

  Profile build() {
    for (const auto& [type, unit] : from_.types) to_.add_sample_type(type, unit);
    tidy_regions(from_.regions);
    for (const LegacyProfile::Sample& sample : from_.samples) {
      for (const std::uint64_t address : sample.addresses) claim_region(address);
    }
    for (const LegacyProfile::Region& region : from_.regions) {
      mappings_.push_back(to_.add_mapping({.start = region.start,
                                           .limit = region.limit,
                                           .file_offset = region.offset,
                                           .filename = to_.intern(region.file),
                                           .build_id = to_.intern(region.build_id)}));
    }
    std::vector<LocationId> frames;
    std::vector<Label> labels;
    for (const LegacyProfile::Sample& sample : from_.samples) {
      frames.clear();
      for (const std::uint64_t address : sample.addresses) frames.push_back(location(address));
      labels.clear();
      for (const auto& [key, text] : sample.labels) labels.push_back(to_.text_label(key, text));
      if (sample.thread) labels.push_back(to_.number_label("thread", *sample.thread));
      if (sample.bytes) labels.push_back(to_.number_label("bytes", *sample.bytes, "bytes"));
      to_.add_sample(to_.intern_stack_leaf_first(frames), to_.intern_labels(labels), sample.values);
    }
    to_.header.period = from_.period;
    to_.header.period_type = {to_.intern(from_.period_type.first), to_.intern(from_.period_type.second)};
    to_.header.duration_nanos = from_.duration_nanos;
    const LegacyFrames frames_to_drop = legacy_frames(from_.types);
    to_.header.drop_frames = to_.intern(frames_to_drop.drop);
    to_.header.keep_frames = to_.intern(frames_to_drop.keep);
    return std::move(to_);
  }

 private:
  [[nodiscard]] std::size_t region_of(std::uint64_t address) const {
    for (std::size_t i = 0; i < from_.regions.size(); ++i) {
      if (from_.regions[i].start <= address && address < from_.regions[i].limit) return i;
    }
    return from_.regions.size();
  }

  // Some writers leave out the first part of a file that is mapped in parts: what lies below the
  // part that is there, down to the file's start, belongs to it.
  void claim_region(std::uint64_t address) {
    if (address == 0 || region_of(address) != from_.regions.size()) return;
    for (LegacyProfile::Region& region : from_.regions) {
      if (region.offset != 0 && region.offset <= region.start &&
          region.start - region.offset <= address && address < region.start) {
        region.start -= region.offset;
        region.offset = 0;
        return;
      }
    }
  }

  LocationId location(std::uint64_t address) {
    const auto [at, is_new] = locations_.emplace(address, 0);
    if (!is_new) return at->second;
    std::vector<Line> lines;
    if (const auto named = from_.names.find(address); named != from_.names.end()) {
      for (const LegacyProfile::Frame& frame : named->second) {
        const StringId name = to_.intern(frame.function);
        lines.push_back({to_.intern_function({.name = name,
                                              .system_name = name,
                                              .filename = to_.intern(frame.file)}),
                         frame.line, 0});
      }
    }
    const std::size_t region = region_of(address);
    const MappingId mapping = address != 0 && region < mappings_.size() ? mappings_[region] : 0;
    const bool drop = from_.drop_addresses && !lines.empty();
    return at->second = to_.intern_location(drop ? 0 : mapping, drop ? 0 : address, lines);
  }

  static bool adjacent(const LegacyProfile::Region& a, const LegacyProfile::Region& b) {
    if (!a.file.empty() && !b.file.empty() && a.file != b.file) return false;
    if (!a.build_id.empty() && !b.build_id.empty() && a.build_id != b.build_id) return false;
    if (a.limit != b.start) return false;
    return a.offset == 0 || b.offset == 0 || a.offset + (a.limit - a.start) == b.offset;
  }

  static bool is_library(std::string_view file) {
    if (file.ends_with(".so")) return true;
    for (std::size_t at = file.find(".so"); at != std::string_view::npos; at = file.find(".so", at + 1)) {
      if (at + 4 < file.size() && (file[at + 3] == '.' || file[at + 3] == '_') && file[at + 4] >= '0' &&
          file[at + 4] <= '9') {
        return true;
      }
    }
    return false;
  }

  // Joins the parts of one file, puts the main binary first and undoes its shift where it is known.
  static void tidy_regions(std::vector<LegacyProfile::Region>& regions) {
    std::vector<LegacyProfile::Region> joined;
    for (LegacyProfile::Region& region : regions) {
      if (joined.empty() || !adjacent(joined.back(), region)) {
        joined.push_back(std::move(region));
        continue;
      }
      joined.back().limit = region.limit;
      if (!region.file.empty()) joined.back().file = region.file;
      if (!region.build_id.empty()) joined.back().build_id = region.build_id;
    }
    for (LegacyProfile::Region& region : joined) {
      if (region.file.empty() || region.file.front() == '[' || is_library(region.file)) continue;
      std::swap(joined.front(), region);
      break;
    }
    if (joined.size() > 1 && joined[0].file.starts_with("/anon_hugepage") &&
        joined[0].limit == joined[1].start) {
      joined.erase(joined.begin());
    }
    constexpr std::uint64_t kUsualStart = 0x400000;
    if (!joined.empty() && joined[0].start - joined[0].offset == kUsualStart) {
      joined[0].start = kUsualStart;
      joined[0].offset = 0;
    }
    regions = std::move(joined);
  }

  LegacyProfile& from_;
  Profile to_;
  std::vector<MappingId> mappings_;
  std::map<std::uint64_t, LocationId> locations_;
};

}  // namespace

Profile build_legacy(LegacyProfile&& legacy) { return LegacyBuilder{legacy}.build(); }

}  // namespace hprof::formats
