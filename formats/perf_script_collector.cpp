// SPDX-License-Identifier: Apache-2.0
#include "perf_script_collector.h"

#include "event_columns.h"

#include <string.h>

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

// Distinct frame lines are few as a rule; a hostile or endless text must not fill the memory.
constexpr std::size_t kLineCacheBytes = std::size_t{96} << 20;

// Times from here on are dates, below they count from boot: 2001-09-09 in ns since 1970.
constexpr std::int64_t kFirstDate = 1'000'000'000'000'000'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool only_blanks(std::string_view text) {
  return std::ranges::all_of(text, is_blank);
}

// Whether a line may be a frame: hex digits, then a blank.
bool looks_like_frame(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at])) ++at;
  const std::size_t first = at;
  while (at < text.size() && ((text[at] >= '0' && text[at] <= '9') || (text[at] >= 'a' && text[at] <= 'f'))) {
    ++at;
  }
  return at > first && at < text.size() && is_blank(text[at]);
}

std::uint64_t hash_of(const ScriptCollector::Row& row) {
  return combine_hash((std::uint64_t{row.stack} << 32) | row.labels, row.event);
}

bool same_key(const ScriptCollector::Row& a, const ScriptCollector::Row& b) {
  return a.stack == b.stack && a.labels == b.labels && a.event == b.event;
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

void ScriptCollector::parse(const TextBlock& block) {
  block_ = block.index;
  line_number_ = 0;
  const char* at = block.text.data();
  const char* const end = at + block.text.size();
  while (at < end) {
    const void* found = memchr(at, '\n', static_cast<std::size_t>(end - at));
    const char* stop = found == nullptr ? end : static_cast<const char*>(found);
    ++line_number_;
    line({at, static_cast<std::size_t>(stop - at)});
    at = stop + 1;
  }
  finish();
  block_lines.emplace_back(block_, line_number_);
}

void ScriptCollector::line(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (text.empty() || (is_blank(text.front()) && only_blanks(text))) return finish();
  if (text.front() == '#') return comment(text);
  if (in_sample_) return line_in_sample(text);
  header_line(text);
}

void ScriptCollector::line_in_sample(std::string_view text) {
  if (text.front() != '\t' && !looks_like_frame(text)) {
    if (parse_script_source(text)) return add_source(text);
    return header_line(text);
  }
  if (skip_) return;
  if (lines_.memory_bytes() > kLineCacheBytes) {
    lines_ = StringTable{};
    cached_.clear();
  }
  const StringId id = lines_.intern(text);
  if (id >= cached_.size()) cached_.resize(id + 1);
  if (cached_[id].kind == LineKind::unseen) cached_[id] = parse_line(text);
  use(cached_[id], text);
}

ScriptCollector::CachedLine ScriptCollector::parse_line(std::string_view text) {
  const auto frame = parse_script_frame(text);
  if (!frame) {
    if (parse_script_source(text)) return {LineKind::source, 0};
    return {parse_script_header(text) ? LineKind::header : LineKind::bad, 0};
  }
  // A comm may look like an address ("cafe 12 [000] 1.5: cycles:").
  if (frame->module.empty() && !frame->inlined) {
    const auto header = parse_script_header(text);
    if (header && header->time_ns) return {LineKind::header, 0};
  }
  return make_frame(*frame);
}

ScriptCollector::CachedLine ScriptCollector::make_frame(const ScriptFrame& frame) {
  const bool known = !frame.symbol.empty() && frame.symbol != "[unknown]";
  std::vector<Line> lines;
  // Java agents write "outer->inlined->inlined"; "operator->" is C++.
  std::size_t from = 0;
  for (std::size_t arrow = frame.symbol.find("->"); known && arrow != std::string_view::npos;
       arrow = frame.symbol.find("->", arrow + 2)) {
    if (frame.symbol.substr(0, arrow).ends_with("operator")) continue;
    if (arrow > from) {
      lines.push_back({profile.intern_function(frame.symbol.substr(from, arrow - from)), 0, 0});
    }
    from = arrow + 2;
  }
  if (known && from < frame.symbol.size()) {
    lines.push_back({profile.intern_function(frame.symbol.substr(from)), 0, 0});
  }
  std::ranges::reverse(lines);
  if (frame.inlined) {
    return {LineKind::inlined, lines.empty() ? profile.intern_function("[unknown]") : lines[0].function};
  }
  // "libx.so+0x12" gives an offset: a mapping from 0 makes it the address.
  const bool has_offset = !known && frame.module_offset.has_value();
  const MappingId mapping = module(frame.module);
  const std::uint64_t address =
      has_offset ? *frame.module_offset : options_.addresses || !known ? frame.address : 0;
  if (has_offset && mapping != 0) {
    Mapping& range = profile.mapping(mapping);
    range.limit = std::max(range.limit, address == ~std::uint64_t{0} ? address : address + 1);
  }
  return {LineKind::frame, profile.intern_location(mapping, address, lines)};
}

void ScriptCollector::use(CachedLine cached, std::string_view text) {
  switch (cached.kind) {
    case LineKind::frame:
      break;
    case LineKind::inlined:
      inlined_.push_back({cached.id, 0, 0});
      return;
    case LineKind::source: return add_source(text);
    case LineKind::header: return header_line(text);
    case LineKind::unseen:
    case LineKind::bad: return bad(text);
  }
  if (frames_.size() >= options_.limits.max_frames) {
    cut_ = true;
    return;
  }
  LocationId id = cached.id;
  if (!inlined_.empty()) {
    const Location& location = profile.location(id);
    inlined_.insert(inlined_.end(), profile.lines(id).begin(), profile.lines(id).end());
    id = profile.intern_location(location.mapping, location.address, inlined_);
    inlined_.clear();
  }
  frames_.push_back(id);
}

// "  file.c:12" belongs to the frame above it.
void ScriptCollector::add_source(std::string_view text) {
  const auto source = parse_script_source(text);
  if (!source || skip_ || source->line == 0) return;
  if (!inlined_.empty()) {
    inlined_.back().line = source->line;
    return;
  }
  if (frames_.empty() || profile.lines(frames_.back()).empty()) return;
  const Location location = profile.location(frames_.back());
  std::vector<Line> lines(profile.lines(frames_.back()).begin(), profile.lines(frames_.back()).end());
  Function function = profile.function(lines.back().function);
  function.filename = profile.intern(source->file);
  lines.back() = {profile.intern_function(function), source->line, 0};
  frames_.back() = profile.intern_location(location.mapping, location.address, lines);
}

void ScriptCollector::header_line(std::string_view text) {
  finish();
  const auto header = parse_script_header(text);
  if (!header) return bad(text);
  begin(*header);
}

void ScriptCollector::begin(const ScriptHeader& header) {
  in_sample_ = true;
  skip_ = !wanted(header);
  if (skip_) return;
  event_ = event_id(header.event);
  if (header.period) events[event_].weighted = true;
  weight_ = header.period.value_or(1);
  labels_ = who(header);
  if (header.time_ns) {
    first_time_ns = std::min(first_time_ns.value_or(*header.time_ns), *header.time_ns);
    last_time_ns = std::max(last_time_ns.value_or(*header.time_ns), *header.time_ns);
  }
  if (header.rest.empty()) return;
  // A sample of one frame stands on one line; anything else there is a tracepoint's payload.
  const auto frame = parse_script_frame(header.rest);
  if (frame && header.rest.back() == ')') use(make_frame(*frame), header.rest);
}

bool ScriptCollector::wanted(const ScriptHeader& header) {
  if (!event_matches(header.event, options_.event)) return false;
  if (!options_.since_ns && !options_.until_ns) return true;
  if (!header.time_ns) return false;
  const std::int64_t bound = options_.since_ns ? *options_.since_ns : *options_.until_ns;
  if (bound >= kFirstDate && *header.time_ns < kFirstDate) outside_clock = true;
  return (!options_.since_ns || *header.time_ns >= *options_.since_ns) &&
         (!options_.until_ns || *header.time_ns < *options_.until_ns);
}

void ScriptCollector::finish() {
  if (!in_sample_) return;
  in_sample_ = false;
  if (skip_) return;
  // Inlined frames whose own frame never came stand for themselves.
  for (const Line& line : inlined_) frames_.push_back(profile.intern_location(0, 0, {&line, 1}));
  inlined_.clear();
  ++samples;
  cut_stacks += cut_ ? 1 : 0;
  cut_ = false;
  const Row key{.stack = stack(), .labels = labels_, .event = event_, .block = block_};
  const std::uint64_t hash = hash_of(key);
  std::uint32_t id =
      row_index_.find(hash, [&](std::uint32_t row) { return same_key(rows[row], key); });
  if (id == InternTable::kNotFound) {
    id = static_cast<std::uint32_t>(rows.size());
    rows.push_back(key);
    row_index_.insert(hash, id, [&](std::uint32_t row) { return hash_of(rows[row]); });
  }
  ++rows[id].count;
  rows[id].weight = wrapping_add(rows[id].weight, weight_);
}

// Samples in a row share most of their callers: only frames below the common part are interned.
StackId ScriptCollector::stack() {
  std::size_t same = 0;
  while (same < frames_.size() && same < last_frames_.size() &&
         frames_[frames_.size() - 1 - same] == last_frames_[last_frames_.size() - 1 - same]) {
    ++same;
  }
  stacks_.resize(frames_.size());
  std::copy_n(last_stacks_.end() - static_cast<std::ptrdiff_t>(same), same,
              stacks_.end() - static_cast<std::ptrdiff_t>(same));
  StackId at = same == 0 ? 0 : stacks_[frames_.size() - same];
  for (std::size_t i = frames_.size() - same; i > 0; --i) {
    at = profile.intern_stack(at, frames_[i - 1]);
    stacks_[i - 1] = at;
  }
  std::swap(frames_, last_frames_);
  std::swap(stacks_, last_stacks_);
  frames_.clear();
  return at;
}

std::uint32_t ScriptCollector::event_id(std::string_view name) {
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events[i].name == name) return i;
  }
  events.push_back({std::string{name}, false, block_});
  return static_cast<std::uint32_t>(events.size() - 1);
}

LabelSetId ScriptCollector::who(const ScriptHeader& header) {
  const StringId id = who_texts_.intern(header.who);
  if (id < who_labels_.size() && who_labels_[id] != 0) return who_labels_[id];
  std::vector<Label> labels;
  if (!header.comm.empty()) labels.push_back(profile.text_label("thread", header.comm));
  labels.push_back(profile.number_label("tid", header.tid));
  if (header.pid) {
    labels.push_back(profile.number_label("pid", *header.pid));
  } else if (!options_.lone_id_is_tid) {
    labels.push_back(profile.number_label("pid", header.tid));
  }
  if (id >= who_labels_.size()) who_labels_.resize(id + 1, 0);
  return who_labels_[id] = profile.intern_labels(labels);
}

MappingId ScriptCollector::module(std::string_view name) {
  if (name.empty() || name == "[unknown]") return 0;
  const StringId id = module_names_.intern(name);
  if (id >= modules_.size()) modules_.resize(id + 1, 0);
  if (modules_[id] == 0) modules_[id] = profile.add_mapping({.filename = profile.intern(name)});
  return modules_[id];
}

void ScriptCollector::comment(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kKept{
      "captured on", "hostname", "os release", "perf version", "arch", "cmdline"};
  text.remove_prefix(std::min(text.find_first_not_of("# "), text.size()));
  const std::string_view key = text.substr(0, text.find_first_of(":"));
  const std::string_view bare = key.substr(0, key.find_last_not_of(' ') + 1);
  if (std::ranges::find(kKept, bare) != kKept.end()) comments.emplace_back(text);
}

void ScriptCollector::bad(std::string_view text) {
  ++bad_lines;
  if (!first_bad) first_bad = BadLine{block_, line_number_, std::string{text.substr(0, 80)}};
}

}  // namespace hprof::formats
