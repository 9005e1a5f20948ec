// SPDX-License-Identifier: Apache-2.0
#include "json_document.h"
#include "json_readers.h"
#include "named_location.h"
#include "trace_spans.h"
#include "v8_samples.h"

#include <fmt/format.h>

#include <charconv>
#include <map>

namespace hprof::formats {
namespace {

constexpr std::string_view kFormat = "chrome-trace";

// Ids in traces are numbers or texts.
std::string id_text(JsonElement element) {
  const std::string_view text = as_string(element);
  if (!text.empty()) return std::string{text};
  return fmt::format("{}", round_number(as_number(element)));
}

// Some writers put numbers in quotes.
double number_of(JsonElement event, std::string_view key, double fallback = 0) {
  const std::string_view text = json_text(event, key);
  if (text.empty()) return json_number(event, key, fallback);
  double value = fallback;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct ThreadKey {
  std::string pid;
  std::string tid;
  auto operator<=>(const ThreadKey&) const = default;
};

class Reader {
 public:
  Reader(const JsonDocument& document, const ReadOptions& options) : options_(options) {
    const JsonElement root = document.root();
    simdjson::dom::array list;
    if (root.get(list) == simdjson::SUCCESS) {
      for (const JsonElement event : list) events_.push_back(event);
    } else {
      events_ = json_array(root, "traceEvents");
    }
  }

  Result<Profile> run() {
    if (events_.empty()) {
      return Error{ErrorKind::malformed_input, fmt::format("{}: no events", kFormat), {}};
    }
    for (const JsonElement event : events_) name_threads(event);
    HPROF_TRY(cpu_profiles());
    if (p_.sample_types().empty()) spans();
    return std::move(p_);
  }

 private:
  static ThreadKey key_of(JsonElement event) {
    return {id_text(json_member(event, "pid")), id_text(json_member(event, "tid"))};
  }

  void name_threads(JsonElement event) {
    if (json_text(event, "ph") != "M" || json_text(event, "name") != "thread_name") return;
    names_[key_of(event)] = json_text(json_member(event, "args"), "name");
  }

  LabelSetId labels_of(const ThreadKey& key) {
    std::vector<Label> labels;
    const auto name = names_.find(key);
    if (name != names_.end()) labels.push_back(p_.text_label("thread", name->second));
    labels.push_back(p_.text_label("tid", key.tid));
    labels.push_back(p_.text_label("pid", key.pid));
    return p_.intern_labels(labels);
  }

  // --- V8's CPU profiles: one event with all of it, or a head and chunks that share an id

  struct CpuProfile {
    ThreadKey thread;
    std::vector<JsonElement> nodes;
    V8Samples samples;
  };

  void collect(JsonElement event, std::map<ThreadKey, CpuProfile>& profiles) {
    const std::string_view name = json_text(event, "name");
    if (name != "CpuProfile" && name != "Profile" && name != "ProfileChunk") return;
    const ThreadKey key{id_text(json_member(event, "pid")),
                        json_has(event, "id") ? id_text(json_member(event, "id"))
                                              : id_text(json_member(event, "tid"))};
    CpuProfile& profile = profiles[key];
    profile.samples.may_lack_nodes = true;
    // Chunks come from a helper thread; the head is of the thread that was sampled.
    if (name != "ProfileChunk") profile.thread = key_of(event);
    const JsonElement data = json_member(json_member(event, "args"), "data");
    JsonElement cpu = json_member(data, "cpuProfile");
    if (is_null(cpu)) cpu = data;
    for (const JsonElement node : json_array(cpu, "nodes")) profile.nodes.push_back(node);
    for (const JsonElement id : json_array(cpu, "samples")) {
      profile.samples.ids.push_back(as_index(id, ~0ULL));
    }
    const auto deltas = json_array(json_has(data, "timeDeltas") ? data : cpu, "timeDeltas");
    for (const JsonElement delta : deltas) profile.samples.deltas_us.push_back(as_number(delta));
    if (json_has(cpu, "startTime")) profile.samples.start_us = json_number(cpu, "startTime");
    if (json_has(cpu, "endTime")) profile.samples.end_us = json_number(cpu, "endTime");
  }

  Result<void> cpu_profiles() {
    std::map<ThreadKey, CpuProfile> profiles;
    for (const JsonElement event : events_) collect(event, profiles);
    for (const auto& [key, profile] : profiles) {
      if (profile.samples.ids.empty()) continue;
      if (p_.sample_types().empty()) add_v8_types(p_);
      V8Tree tree{p_, kFormat};
      HPROF_TRY(tree.add_flat(profile.nodes));
      HPROF_TRY(add_v8_samples(p_, tree, profile.samples, labels_of(profile.thread)));
    }
    return {};
  }

  // --- durations

  void spans() {
    p_.add_sample_type("time", "nanoseconds");
    std::map<ThreadKey, TraceSpans> threads;
    std::uint64_t others = 0;
    for (const JsonElement event : events_) {
      const std::string_view phase = json_text(event, "ph");
      const double ts = number_of(event, "ts") * 1000;
      if (phase == "B") {
        threads[key_of(event)].begin(ts, frame(event));
      } else if (phase == "E") {
        threads[key_of(event)].end(ts, json_has(event, "name") ? frame(event) : 0);
      } else if (phase == "X") {
        const double duration = number_of(event, "dur", number_of(event, "tdur")) * 1000;
        threads[key_of(event)].span(ts, duration, frame(event));
      } else if (phase != "M") {
        ++others;
      }
    }
    std::uint64_t unmatched = 0;
    for (auto& [key, thread] : threads) {
      unmatched += thread.add_to(p_, labels_of(key));
    }
    p_.counters.skipped += unmatched;
    if (options_.notes == nullptr) return;
    if (unmatched != 0) {
      options_.notes->push_back(fmt::format("{}: {} events without their counterpart", kFormat,
                                            unmatched));
    }
    if (others != 0) {
      options_.notes->push_back(fmt::format("{}: {} events that have no duration", kFormat, others));
    }
  }

  LocationId frame(JsonElement event) {
    return named_location(p_, {.name = json_text(event, "name", "(unnamed)")});
  }

  const ReadOptions& options_;
  Profile p_;
  std::vector<JsonElement> events_;
  std::map<ThreadKey, std::string> names_;
};

// The array form may end anywhere between two events.
Result<JsonDocument> parse_open_ended(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::vector<std::byte> all, read_all(source, options.limits.max_bytes));
  std::string_view text = as_text(all);
  MemorySource whole{all};
  Result<JsonDocument> document = JsonDocument::read(whole, options, kFormat);
  if (document || text.find_first_not_of(" \t\r\n") != text.find('[')) return document;
  const std::size_t last = text.rfind('}');
  if (last == std::string_view::npos) return document;
  const std::string closed = std::string{text.substr(0, last + 1)} + "]";
  MemorySource again{as_bytes(closed)};
  return JsonDocument::read(again, options, kFormat);
}

}  // namespace

Sniff sniff_chrome_trace(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (!head_is_json(head)) return Sniff::no;
  if (head_has_key(head, "traceEvents")) return Sniff::likely;
  const bool is_list = head[head.find_first_not_of(" \t\r\n")] == '[';
  return is_list && head_has_key(head, "ph") && head_has_key(head, "ts") ? Sniff::likely : Sniff::no;
}

Result<Profile> read_chrome_trace(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const JsonDocument document, parse_open_ended(source, options));
  return Reader{document, options}.run();
}

}  // namespace hprof::formats
