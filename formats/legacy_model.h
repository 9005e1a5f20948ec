// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof::formats {

/// What the texts of gperftools, Go and Java have in common: addresses with values, and a memory map.
struct LegacyProfile {
  struct Sample {
    std::vector<std::int64_t> values;
    std::vector<std::uint64_t> addresses;  ///< leaf first, callers already inside the call
    std::optional<std::int64_t> bytes;     ///< size of one object
    std::optional<std::int64_t> thread;
    std::vector<std::pair<std::string, std::string>> labels;
  };
  struct Frame {
    std::string function;
    std::string file;
    std::int64_t line = 0;
  };
  struct Region {
    std::uint64_t start = 0;
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
    std::string file;
    std::string build_id;
  };

  std::vector<std::pair<std::string, std::string>> types;  ///< type, unit
  std::pair<std::string, std::string> period_type;
  std::int64_t period = 0;
  std::int64_t duration_nanos = 0;
  std::vector<Sample> samples;
  std::vector<Region> regions;
  /// Names that the text gives for addresses, innermost inlined first.
  std::map<std::uint64_t, std::vector<Frame>> names;
  bool drop_addresses = false;  ///< Java: they mean nothing behind the symbol table
};

/// Lines of a text; "\r" at their ends goes. Lifetime: borrows the text.
class LegacyLines {
 public:
  explicit LegacyLines(std::string_view text) : rest_(text) {}
  /// False at the end; then line() is empty.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }   ///< without blanks at its ends
  [[nodiscard]] std::uint64_t number() const { return number_; }  ///< from 1
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// malformed_input: "FORMAT: line N: WHAT".
  [[nodiscard]] Error wrong(std::string_view format, std::string_view what) const;

 private:
  std::string_view rest_;
  std::string_view line_;
  std::uint64_t number_ = 0;
};

bool legacy_blank_or_comment(std::string_view line);
bool is_memory_map_sentinel(std::string_view line);
/// All "0x…" numbers of a text. nullopt if one does not fit 64 bits.
std::optional<std::vector<std::uint64_t>> hex_addresses(std::string_view text);
std::optional<std::int64_t> legacy_number(std::string_view text);

/// Reads /proc/PID/maps lines or the brief form "START-END: FILE (@OFFSET) BUILDID" up to the end;
/// "name=value" lines define $name. Other lines are passed over.
void parse_memory_map(std::string_view text, std::vector<LegacyProfile::Region>& regions);
/// Goes on to the memory map, if there is one, and reads it.
void parse_rest_as_memory_map(LegacyLines& lines, LegacyProfile& profile);

/// Unbiases a sampled count and size: each object of that size was seen with probability
/// 1 - exp(-size/rate).
std::pair<std::int64_t, std::int64_t> unsample(std::int64_t count, std::int64_t size, std::int64_t rate);

/// The profile, with frames to drop as google/pprof sets them for such texts.
Profile build_legacy(LegacyProfile&& legacy);

}  // namespace hprof::formats
