// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit/perf_map.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace hprof::symbolize {
namespace {

constexpr std::size_t kMaxName = 8192;

std::optional<std::uint64_t> take_hex(std::string_view& line) {
  if (line.starts_with("0x") || line.starts_with("0X")) line.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  if (error != std::errc{}) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (!line.starts_with(' ')) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return value;
}

struct MapLine {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::string_view name;
};

std::optional<MapLine> parse_line(std::string_view line) {
  const auto start = take_hex(line);
  const auto size = start ? take_hex(line) : std::nullopt;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!size || line.empty() || line.size() > kMaxName) return std::nullopt;
  return MapLine{*start, *size, line};
}

}  // namespace

void name_by_perf_map(Bytes text, std::span<const std::uint64_t> addresses, std::span<Frames> out) {
  std::string_view rest = as_text(text);
  std::vector<std::string_view> names(addresses.size());
  while (!rest.empty() && !addresses.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto line = parse_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line) continue;
    auto at = std::ranges::lower_bound(addresses, line->start);
    for (; at != addresses.end() && *at - line->start < line->size; ++at) {
      names[static_cast<std::size_t>(at - addresses.begin())] = line->name;
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    Frame frame;
    frame.system_name = names[i];
    frame.name = names[i];
    out[i] = {std::move(frame)};
  }
}

}  // namespace hprof::symbolize
