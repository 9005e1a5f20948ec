// SPDX-License-Identifier: Apache-2.0
#include "java_hprof_text.h"

#include "legacy_text.h"
#include "named_frames.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "java-hprof";
constexpr std::string_view kStart = "JAVA PROFILE 1.0.";

std::string_view take_word(std::string_view& text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(first);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// "12,5%" or "12.5%"; 0 if it is none.
double percent_of(std::string_view word) {
  std::string number{word.substr(0, word.find('%'))};
  std::ranges::replace(number, ',', '.');
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  return value >= 0 && value <= 100 ? value : 0;
}

// "java.lang.String.replace(String.java:1234)"
LocationId location_of(std::string_view line, NamedFrames& frames) {
  NamedFrames::Frame frame{.name = line};
  const std::size_t open = line.rfind('(');
  if (open != std::string_view::npos && line.ends_with(')')) {
    frame.name = line.substr(0, open);
    const std::string_view where = line.substr(open + 1, line.size() - open - 2);
    const std::size_t colon = where.rfind(':');
    if (where != "Unknown Source") frame.file = where.substr(0, colon);
    if (colon != std::string_view::npos) frame.line = legacy_number(where.substr(colon + 1)).value_or(0);
  }
  return frames.location(frame);
}

using Traces = std::map<std::int64_t, std::vector<LocationId>>;

// "TRACE 300049:", then its frames, innermost first, down to a line that is none.
void take_trace(LegacyLines& lines, NamedFrames& frames, Traces& traces, std::size_t max_frames) {
  const std::string_view line = lines.line();
  const auto id = legacy_number(line.substr(6, line.find(':') - 6));
  std::vector<LocationId> stack;
  // A blank before the parenthesis is no frame: "CPU SAMPLES BEGIN (total = 4)".
  while (lines.next() && lines.line().find('(') < lines.line().find(' ')) {
    if (stack.size() >= max_frames) break;
    stack.push_back(location_of(lines.line(), frames));
  }
  if (id) traces[*id] = std::move(stack);
}

// "rank self accum count trace method"
Result<void> take_table(LegacyLines& lines, bool samples, const Traces& traces, Profile& profile) {
  const std::string_view header = lines.line();
  const std::size_t equals = header.find("total = ");
  double total = 0;
  if (equals != std::string_view::npos) total = std::strtod(std::string{header.substr(equals + 8)}.c_str(), nullptr);
  lines.next();
  while (lines.next() && !lines.line().starts_with("CPU ")) {
    std::string_view rest = lines.line();
    if (rest.empty()) continue;
    take_word(rest);  // rank
    const double self = percent_of(take_word(rest));
    take_word(rest);  // accumulated
    const auto count = legacy_number(take_word(rest));
    const auto trace = legacy_number(take_word(rest));
    if (!count || !trace) return lines.wrong(kName, "no row of the table");
    const auto found = traces.find(*trace);
    std::vector<std::int64_t> values{*count};
    if (!samples) values.push_back(static_cast<std::int64_t>(std::min(9e18, std::round(self * total / 100))));
    profile.accumulate(found == traces.end() ? 0 : profile.intern_stack_leaf_first(found->second), 0, values);
  }
  return {};
}

}  // namespace

Sniff sniff_java_hprof(const SniffInput& input) {
  return as_text(input.head).starts_with(kStart) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_java_hprof(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  if (!text.starts_with(kStart)) return Error{ErrorKind::malformed_input, "java-hprof: line 1: no header", {}};
  if (text.size() > 19 && text[18] == '\0') {
    return Error{ErrorKind::unsupported, "java-hprof: this is a binary heap dump of a Java process, not a profile", {}};
  }
  Profile profile;
  NamedFrames frames{profile};
  Traces traces;
  LegacyLines lines{text};
  bool more = lines.next();
  while (more) {
    const std::string_view line = lines.line();
    if (line.starts_with("TRACE ") && line.find(':') != std::string_view::npos) {
      take_trace(lines, frames, traces, options.limits.max_frames);
      more = !lines.line().empty() || !lines.rest().empty();
      continue;
    }
    const bool samples = line.starts_with("CPU SAMPLES BEGIN");
    if ((samples || line.starts_with("CPU TIME (ms) BEGIN")) && profile.sample_types().empty()) {
      profile.add_sample_type(samples ? "samples" : "calls", "count");
      if (!samples) profile.add_sample_type("cpu", "milliseconds");
      HPROF_TRY(take_table(lines, samples, traces, profile));
    }
    more = lines.next();
  }
  if (profile.sample_types().empty()) {
    return Error{ErrorKind::malformed_input, "java-hprof: no CPU SAMPLES or CPU TIME table", "run the agent with cpu=samples"};
  }
  return profile;
}

}  // namespace hprof::formats
