// SPDX-License-Identifier: Apache-2.0
#include "firefox_thread.h"

#include "named_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

Error malformed(std::string_view what) {
  return {ErrorKind::malformed_input, fmt::format("firefox: {}", what), {}};
}

struct StackRow {
  std::uint64_t frame = kNone;
  std::uint64_t prefix = kNone;
};

struct SampleRow {
  std::uint64_t stack = kNone;
  double time_ms = 0;
  double weight = 1;
};

// Tables of both kinds end up here.
struct Thread {
  std::vector<LocationId> frames;
  std::vector<StackRow> stacks;
  std::vector<SampleRow> samples;
  LabelSetId labels = 0;
  double interval_ms = 1;
  bool weighs_time = false;
};

// A prefix has a smaller index than what it is a prefix of.
Result<std::vector<StackId>> stack_ids(Profile& p, const Thread& thread) {
  std::vector<StackId> ids;
  ids.reserve(thread.stacks.size());
  for (const StackRow& row : thread.stacks) {
    if (row.frame >= thread.frames.size()) return malformed("a stack names an unknown frame");
    if (row.prefix != kNone && row.prefix >= ids.size()) {
      return malformed("a stack names a prefix that comes later");
    }
    const StackId parent = row.prefix == kNone ? 0 : ids[row.prefix];
    ids.push_back(p.intern_stack(parent, thread.frames[row.frame]));
  }
  return ids;
}

Result<void> add_thread(Profile& p, const Thread& thread) {
  HPROF_ASSIGN(const std::vector<StackId> ids, stack_ids(p, thread));
  for (std::size_t i = 0; i < thread.samples.size(); ++i) {
    const SampleRow& sample = thread.samples[i];
    if (sample.stack == kNone) continue;
    if (sample.stack >= ids.size()) return malformed("a sample names an unknown stack");
    const bool is_last = i + 1 == thread.samples.size();
    const double next = is_last ? sample.time_ms + thread.interval_ms
                                : thread.samples[i + 1].time_ms;
    const double ms = thread.weighs_time ? sample.weight : std::max(0.0, next - sample.time_ms);
    const std::int64_t count = thread.weighs_time ? 1 : round_number(sample.weight);
    p.accumulate(ids[sample.stack], thread.labels,
                 std::array<std::int64_t, 2>{count, round_number(ms * 1e6)});
  }
  return {};
}

LabelSetId labels_of(Profile& p, JsonElement thread) {
  std::vector<Label> labels = {p.text_label("thread", json_text(thread, "name"))};
  for (const char* key : {"tid", "pid"}) {
    const JsonElement id = json_member(thread, key);
    if (is_null(id)) continue;
    const std::string_view text = as_string(id);
    labels.push_back(text.empty() ? p.number_label(key, round_number(as_number(id)))
                                  : p.text_label(key, text));
  }
  return p.intern_labels(labels);
}

// --- gecko: rows with a schema

class RowTable {
 public:
  RowTable(JsonElement thread, std::string_view name) {
    const JsonElement table = json_member(thread, name);
    schema_ = json_member(table, "schema");
    rows_ = json_array(table, "data");
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] JsonElement at(std::size_t row, std::string_view column) const {
    const std::uint64_t index = as_index(json_member(schema_, column), kNone);
    simdjson::dom::array cells;
    JsonElement cell;
    if (index == kNone || rows_[row].get(cells) != simdjson::SUCCESS) return cell;
    if (cells.at(index).get(cell) != simdjson::SUCCESS) return JsonElement{};
    return cell;
  }

 private:
  JsonElement schema_;
  std::vector<JsonElement> rows_;
};

std::int64_t number_at_end(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  std::int64_t value = 0;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return 0;
  text = text.substr(0, colon);
  return value;
}

// "name (file:line:column)", "file:line" of a script, "0x1234", "name (in lib)" or a label.
NamedFrame parse_location(std::string_view location) {
  NamedFrame frame{.name = location};
  const std::size_t open = location.rfind(" (");
  std::string_view place;
  if (open != std::string_view::npos && location.ends_with(')')) {
    place = location.substr(open + 2, location.size() - open - 3);
  }
  if (place.empty() || place.find(':') == std::string_view::npos) return frame;
  const std::int64_t last = number_at_end(place);
  const std::int64_t before = number_at_end(place);
  if (last == 0) return frame;
  frame.name = location.substr(0, open);
  frame.file = place;
  frame.line = before != 0 ? before : last;
  frame.column = before != 0 ? last : 0;
  return frame;
}

// --- processed: columns

std::uint64_t at_index(const std::vector<JsonElement>& column, std::size_t row) {
  return row < column.size() ? as_index(column[row], kNone) : kNone;
}

std::int64_t at_number(const std::vector<JsonElement>& column, std::size_t row) {
  return row < column.size() ? std::max<std::int64_t>(0, round_number(as_number(column[row]))) : 0;
}

std::vector<JsonElement> string_list(JsonElement thread, JsonElement shared) {
  for (const JsonElement from : {thread, shared}) {
    for (const char* key : {"stringArray", "stringTable"}) {
      std::vector<JsonElement> list = json_array(from, key);
      if (list.empty()) list = json_array(json_member(from, key), "_array");
      if (!list.empty()) return list;
    }
  }
  return {};
}

JsonElement table_of(JsonElement thread, JsonElement shared, std::string_view name) {
  return json_has(thread, name) ? json_member(thread, name) : json_member(shared, name);
}

std::vector<LocationId> processed_frames(Profile& p, JsonElement thread, JsonElement shared) {
  const std::vector<JsonElement> texts = string_list(thread, shared);
  const auto text = [&](std::uint64_t index) {
    return index < texts.size() ? as_string(texts[index]) : std::string_view{};
  };
  const JsonElement frames = table_of(thread, shared, "frameTable");
  const JsonElement functions = table_of(thread, shared, "funcTable");
  const auto funcs = json_array(frames, "func");
  const auto lines = json_array(frames, "line");
  const auto columns = json_array(frames, "column");
  const auto names = json_array(functions, "name");
  const auto files = json_array(functions, "fileName");
  const auto sources = json_array(functions, "source");
  const auto source_names = json_array(table_of(thread, shared, "sources"), "filename");
  const auto starts = json_array(functions, "lineNumber");
  std::vector<LocationId> out;
  for (std::size_t i = 0; i < funcs.size(); ++i) {
    const std::uint64_t f = at_index(funcs, i);
    const std::uint64_t file = sources.empty() ? at_index(files, f)
                                               : at_index(source_names, at_index(sources, f));
    out.push_back(named_location(p, {.name = text(at_index(names, f)),
                                     .file = text(file),
                                     .line = at_number(lines, i),
                                     .column = at_number(columns, i),
                                     .start_line = at_number(starts, f)}));
  }
  return out;
}

}  // namespace

Result<void> add_gecko_thread(Profile& p, JsonElement json, double interval_ms) {
  Thread thread;
  thread.interval_ms = interval_ms;
  thread.labels = labels_of(p, json);
  const std::vector<JsonElement> texts = json_array(json, "stringTable");
  const RowTable frames{json, "frameTable"};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::uint64_t text = as_index(frames.at(i, "location"), kNone);
    if (text >= texts.size()) return malformed("a frame names an unknown string");
    NamedFrame frame = parse_location(as_string(texts[text]));
    if (const double line = as_number(frames.at(i, "line")); line > 0) frame.line = round_number(line);
    thread.frames.push_back(named_location(p, frame));
  }
  const RowTable stacks{json, "stackTable"};
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    thread.stacks.push_back(
        {as_index(stacks.at(i, "frame"), kNone), as_index(stacks.at(i, "prefix"), kNone)});
  }
  const RowTable samples{json, "samples"};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    thread.samples.push_back(
        {as_index(samples.at(i, "stack"), kNone), as_number(samples.at(i, "time")), 1});
  }
  return add_thread(p, thread);
}

Result<void> add_processed_thread(Profile& p, JsonElement json, JsonElement shared,
                                  double interval_ms) {
  Thread thread;
  thread.interval_ms = interval_ms;
  thread.labels = labels_of(p, json);
  thread.frames = processed_frames(p, json, shared);
  const JsonElement stacks = table_of(json, shared, "stackTable");
  const auto frames = json_array(stacks, "frame");
  const auto prefixes = json_array(stacks, "prefix");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    thread.stacks.push_back({at_index(frames, i), at_index(prefixes, i)});
  }
  const JsonElement samples = json_member(json, "samples");
  const auto sample_stacks = json_array(samples, "stack");
  const auto times = json_array(samples, "time");
  const auto deltas = json_array(samples, "timeDeltas");
  const auto weights = json_array(samples, "weight");
  thread.weighs_time = json_text(samples, "weightType") == "tracing-ms";
  double time = 0;
  for (std::size_t i = 0; i < sample_stacks.size(); ++i) {
    if (i < times.size()) time = as_number(times[i]);
    if (i < deltas.size()) time += as_number(deltas[i]);
    const double weight = i < weights.size() ? as_number(weights[i], 1) : 1;
    thread.samples.push_back({at_index(sample_stacks, i), time, weight});
  }
  return add_thread(p, thread);
}

}  // namespace hprof::formats
