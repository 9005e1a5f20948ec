// SPDX-License-Identifier: Apache-2.0
#include "legacy_java.h"
#include "legacy_readers.h"
#include "legacy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "gperftools-cpu";

/// Words of 4 or 8 bytes, in either byte order.
class WordReader {
 public:
  WordReader(Bytes bytes, unsigned size, std::endian order) : in_(bytes, order), size_(size) {}
  std::uint64_t next() { return size_ == 8 ? in_.u64() : in_.u32(); }
  [[nodiscard]] bool ok() const { return in_.ok(); }
  [[nodiscard]] std::size_t left() const { return in_.remaining() / size_; }
  [[nodiscard]] std::size_t offset() const { return in_.position(); }

 private:
  ByteReader in_;
  unsigned size_;
};

struct Shape {
  unsigned word = 8;
  std::endian order = std::endian::little;
  bool java = false;
  std::int64_t period_us = 0;
};

// 0, 3 header words follow, version 0 (1: Java), period in us, 0.
std::optional<Shape> shape_of(Bytes bytes) {
  for (const unsigned word : {4U, 8U}) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
      WordReader in{bytes, word, order};
      const std::uint64_t zero = in.next();
      const std::uint64_t words = in.next();
      const std::uint64_t version = in.next();
      const std::uint64_t period = in.next();
      const std::uint64_t padding = in.next();
      if (in.ok() && zero == 0 && words == 3 && version <= 1 && period > 0 && padding == 0 &&
          period < INT64_MAX / 1000) {
        return Shape{word, order, version == 1, static_cast<std::int64_t>(period)};
      }
    }
  }
  return std::nullopt;
}

// A frame second from the leaf that nearly all samples have is the signal handler's, not theirs.
void remove_handler_frames(std::vector<LegacyProfile::Sample>& samples) {
  const std::size_t margin = samples.size() / 32;
  for (int round = 0; round < 2; ++round) {
    std::unordered_map<std::uint64_t, std::size_t> seen;
    for (const auto& s : samples) {
      if (s.addresses.size() > 1) ++seen[s.addresses[1]];
    }
    const auto common = std::ranges::find_if(seen, [&](const auto& e) { return e.second >= samples.size() - margin; });
    if (common == seen.end()) return;
    for (auto& s : samples) {
      if (s.addresses.size() > 1 && s.addresses[1] == common->first) s.addresses.erase(s.addresses.begin() + 1);
    }
  }
}

}  // namespace

Sniff sniff_gperftools_cpu(const SniffInput& input) {
  return shape_of(input.head) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_gperftools_cpu(ByteSource& source, const ReadOptions& options) {
  auto bytes = read_all(source, std::min<std::uint64_t>(options.limits.max_bytes, std::uint64_t{4} << 30));
  if (!bytes) return bytes.error().within(kName);
  const auto shape = shape_of(*bytes);
  if (!shape) return Error{ErrorKind::malformed_input, "gperftools-cpu: the header is missing", {}};
  LegacyProfile profile;
  profile.period = shape->period_us * 1000;
  profile.period_type = {"cpu", "nanoseconds"};
  profile.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  WordReader in{*bytes, shape->word, shape->order};
  for (int i = 0; i < 5; ++i) in.next();
  // count, depth, that many addresses; the end is 0, 1, 0.
  while (in.left() > 0) {
    const std::size_t at = in.offset();
    const std::uint64_t count = in.next();
    const std::uint64_t depth = in.next();
    if (!in.ok() || depth > in.left() || depth > options.limits.max_frames) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("gperftools-cpu: a sample at offset {:#x} claims {} frames, {} words are left", at, depth, in.left()), {}};
    }
    LegacyProfile::Sample sample;
    for (std::uint64_t i = 0; i < depth; ++i) sample.addresses.push_back(in.next());
    if (count == 0 && depth == 1 && sample.addresses[0] == 0) break;
    if (!shape->java) {
      for (std::size_t i = 1; i < sample.addresses.size(); ++i) --sample.addresses[i];
    }
    sample.values = {static_cast<std::int64_t>(count),
                     static_cast<std::int64_t>(count * static_cast<std::uint64_t>(profile.period))};
    profile.samples.push_back(std::move(sample));
  }
  const std::string_view text = as_text(Bytes{*bytes}.subspan(std::min(in.offset(), bytes->size())));
  if (shape->java) {
    LegacyLines lines{text};
    lines.next();
    take_java_symbols(lines, profile);
    return build_legacy(std::move(profile));
  }
  remove_handler_frames(profile.samples);
  parse_memory_map(text, profile.regions);
  // The innermost frame may be there twice: from the signal and from unwinding.
  for (auto& s : profile.samples) {
    if (s.addresses.size() > 1 && s.addresses[0] == s.addresses[1] + 1) s.addresses.erase(s.addresses.begin() + 1);
  }
  return build_legacy(std::move(profile));
}

}  // namespace hprof::formats
