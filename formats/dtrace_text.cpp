// SPDX-License-Identifier: Apache-2.0
#include "dtrace_text.h"

#include "legacy_text.h"
#include "named_frames.h"

#include <algorithm>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "dtrace";

bool is_count(std::string_view line) {
  return !line.empty() && std::ranges::all_of(line, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_offset(std::string_view frame) {
  const std::size_t plus = frame.rfind("+0x");
  if (plus == std::string_view::npos) return frame;
  const std::string_view hex = frame.substr(plus + 3);
  return hex.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos ? frame.substr(0, plus) : frame;
}

}  // namespace

Sniff sniff_dtrace(const SniffInput& input) {
  const std::string head{as_text(input.head)};
  LegacyLines lines{head};
  std::size_t frames = 0;
  std::size_t counts = 0;
  bool announced = false;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with("CPU ") && line.find("FUNCTION:NAME") != std::string_view::npos) announced = true;
    if (line.find('`') != std::string_view::npos && line.find(';') == std::string_view::npos) ++frames;
    if (is_count(line)) ++counts;
  }
  if (announced) return Sniff::magic;
  return frames > 1 && counts > 0 ? Sniff::possible : Sniff::no;
}

Result<Profile> read_dtrace(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  Profile profile;
  profile.add_sample_type("samples", "count");
  NamedFrames frames{profile};
  std::vector<LocationId> stack;
  LegacyLines lines{text};
  // Everything before the first empty line is a header.
  while (lines.next() && !lines.line().empty()) {
  }
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    if (is_count(line)) {
      const auto count = legacy_number(line);
      if (!count) return lines.wrong(kName, "the count is too large");
      if (!stack.empty()) profile.accumulate(profile.intern_stack_leaf_first(stack), 0, std::span{&*count, 1});
      stack.clear();
      continue;
    }
    if (stack.size() >= options.limits.max_frames) return lines.wrong(kName, "a stack is too deep");
    const std::size_t tick = line.find('`');
    const std::string_view module = tick == std::string_view::npos ? std::string_view{} : line.substr(0, tick);
    // "outer->inlined": frames that a JIT inlined, innermost last.
    std::string_view names = without_offset(line);
    std::vector<LocationId> inlined;
    while (!names.empty()) {
      const std::size_t arrow = names.find("->");
      const std::string_view name = names.substr(0, arrow);
      if (!name.empty()) inlined.push_back(frames.location({.name = name, .module = module}));
      names.remove_prefix(arrow == std::string_view::npos ? names.size() : arrow + 2);
    }
    if (inlined.size() > 1) {
      std::vector<Line> all;
      for (std::size_t i = inlined.size(); i > 0; --i) all.push_back(profile.lines(inlined[i - 1])[0]);
      inlined = {profile.intern_location(frames.module(module), 0, all)};
    }
    stack.insert(stack.end(), inlined.begin(), inlined.end());
  }
  if (profile.sample_count() == 0) return lines.wrong(kName, "no stack with a count found");
  return profile;
}

}  // namespace hprof::formats
