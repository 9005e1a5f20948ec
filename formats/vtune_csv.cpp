// SPDX-License-Identifier: Apache-2.0
#include "vtune_csv.h"

#include "legacy_text.h"
#include "named_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace hprof::formats {
namespace {

constexpr std::string_view kStart = "Function Stack,";

// One field: plain, or in quotes with "" for one; the comma behind it goes.
std::string take_field(std::string_view& line) {
  std::string out;
  std::size_t at = 0;
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  if (first < line.size() && line[first] == '"') {
    out.assign(first, ' ');
    for (at = first + 1; at < line.size(); ++at) {
      if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"')) break;
      if (line[at] == '"') ++at;
      out += line[at];
    }
    at = std::min(line.find(',', std::min(at, line.size())), line.size());
  } else {
    at = std::min(line.find(','), line.size());
    out = line.substr(0, at);
  }
  line.remove_prefix(std::min(at + 1, line.size()));
  return out;
}

std::optional<std::int64_t> nanoseconds_of(std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  if (error != std::errc{} || !(seconds >= 0 && seconds < 9e9) || (!unit.empty() && unit != "s")) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(seconds * 1e9));
}

}  // namespace

Sniff sniff_vtune(const SniffInput& input) {
  return as_text(input.head).starts_with(kStart) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_vtune(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, "vtune"));
  Profile profile;
  profile.add_sample_type("cpu", "nanoseconds");
  NamedFrames frames{profile};
  std::vector<StackId> path;
  std::string_view rest = text;
  const auto wrong = [&](std::uint64_t line, std::string_view what) {
    return Error{ErrorKind::malformed_input, fmt::format("vtune: line {}: {}", line, what), {}};
  };
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1) {
      if (!line.starts_with(kStart)) return wrong(number, "no header");
      continue;
    }
    if (line.empty()) continue;
    const std::string function = take_field(line);
    const std::string self = take_field(line);
    const std::string module = take_field(line);
    const auto value = nanoseconds_of(self);
    if (!value) return wrong(number, fmt::format("'{}' is no time in seconds", self));
    const std::size_t depth = std::min(function.find_first_not_of(' '), function.size());
    if (depth > path.size() || depth > options.limits.max_frames) return wrong(number, "a callee without its caller");
    path.resize(depth);
    path.push_back(profile.intern_stack(
        path.empty() ? 0 : path.back(),
        frames.location({.name = std::string_view{function}.substr(depth), .module = module})));
    if (*value != 0) profile.accumulate(path.back(), 0, std::span{&*value, 1});
  }
  return profile;
}

}  // namespace hprof::formats
