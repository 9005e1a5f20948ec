// SPDX-License-Identifier: Apache-2.0
#include "legacy_text.h"

#include "text_source.h"

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

std::string_view take_field(std::string_view& text) {
  const std::size_t first = text.find_first_not_of('\t');
  if (first == std::string_view::npos) return text = {};
  text.remove_prefix(first);
  const std::size_t end = std::min(text.find('\t'), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end);
  return field;
}

void take_name(std::string_view line, LegacyProfile& profile) {
  line.remove_prefix(1);
  const auto address = hex_addresses(take_field(line));
  std::string_view function = take_field(line);
  std::string_view file = take_field(line);
  if (!address || address->size() != 1 || function.empty()) return;
  // New versions of Go print the address inside the call, older ones the return address.
  const auto& stack = profile.samples.back().addresses;
  const std::uint64_t inside = std::ranges::find(stack, address->front()) != stack.end()
                                   ? address->front()
                                   : address->front() - 1;
  LegacyProfile::Frame frame;
  frame.function = function.substr(0, function.rfind("+0x"));
  const std::size_t colon = file.rfind(':');
  if (colon != std::string_view::npos) frame.line = legacy_number(file.substr(colon + 1)).value_or(0);
  frame.file = file.substr(0, colon);
  auto& names = profile.names[inside];
  const auto same = std::ranges::find_if(names, [&](const LegacyProfile::Frame& f) {
    return f.function == frame.function && f.line == frame.line;
  });
  if (same == names.end() && names.size() < 100) names.push_back(std::move(frame));
}

// {"key":"value", "k2":"v2"}; escapes other than \" and \\ stay as they are.
void take_labels(std::string_view json, LegacyProfile::Sample& sample) {
  std::vector<std::string> strings;
  for (std::size_t at = json.find('"'); at != std::string_view::npos; at = json.find('"', at + 1)) {
    std::string text;
    for (++at; at < json.size() && json[at] != '"'; ++at) {
      if (json[at] == '\\' && at + 1 < json.size() && (json[at + 1] == '"' || json[at + 1] == '\\')) ++at;
      text += json[at];
    }
    strings.push_back(std::move(text));
  }
  for (std::size_t i = 0; i + 1 < strings.size(); i += 2) {
    sample.labels.emplace_back(strings[i], strings[i + 1]);
  }
}

bool take_number(std::string_view& text, std::int64_t& value) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_mark(std::string_view& text, char mark) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos || text[first] != mark) return false;
  text.remove_prefix(first + 1);
  return true;
}

}  // namespace

Result<std::string> read_legacy_text(ByteSource& source, const ReadOptions& options,
                                     std::string_view format) {
  TextSource text{source};
  auto all = read_all(text, std::min<std::uint64_t>(options.limits.max_bytes, std::uint64_t{4} << 30));
  if (!all) return all.error().within(format);
  return std::string{as_text(*all)};
}

std::string first_legacy_line(const SniffInput& input) {
  const std::string head = text_head(input.head);
  LegacyLines lines{head};
  while (lines.next()) {
    if (!legacy_blank_or_comment(lines.line())) return std::string{lines.line()};
  }
  return {};
}

void take_go_comment(std::string_view line, LegacyProfile& profile) {
  if (profile.samples.empty()) return;
  constexpr std::string_view kLabels = "# labels: ";
  if (line.starts_with(kLabels)) return take_labels(line.substr(kLabels.size()), profile.samples.back());
  if (line.starts_with("#\t0x")) take_name(line, profile);
}

std::optional<HeapCounts> parse_heap_counts(std::string_view text) {
  HeapCounts c;
  if (!take_number(text, c.in_use) || !take_mark(text, ':') || !take_number(text, c.in_use_bytes) ||
      !take_mark(text, '[') || !take_number(text, c.allocated) || !take_mark(text, ':') ||
      !take_number(text, c.allocated_bytes) || !take_mark(text, ']')) {
    return std::nullopt;
  }
  take_mark(text, '@');
  c.rest = text;
  return c;
}

bool add_heap_values(const HeapCounts& counts, bool with_allocated, std::int64_t rate,
                     LegacyProfile::Sample& sample) {
  const auto add = [&](std::int64_t count, std::int64_t size) {
    if (count == 0 && size != 0) return false;
    if (count != 0) {
      sample.bytes = count == -1 ? 0 - size : size / count;
      if (rate != 0) std::tie(count, size) = unsample(count, size, rate);
    }
    sample.values.push_back(count);
    sample.values.push_back(size);
    return true;
  };
  sample.bytes = 0;
  if (with_allocated && !add(counts.allocated, counts.allocated_bytes)) return false;
  return add(counts.in_use, counts.in_use_bytes);
}

}  // namespace hprof::formats
