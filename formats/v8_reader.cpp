// SPDX-License-Identifier: Apache-2.0
#include "json_document.h"
#include "json_readers.h"
#include "v8_samples.h"
#include "v8_tree.h"

#include <fmt/format.h>

namespace hprof::formats {

// A sample lasts until the next one; the first delta leads to the first sample, the last sample
// lasts to the end of the profile.
Result<void> add_v8_samples(Profile& p, const V8Tree& tree, const V8Samples& samples,
                            LabelSetId labels) {
  double at = samples.start_us;
  for (std::size_t i = 0; i < samples.ids.size(); ++i) {
    const Result<StackId> stack = tree.stack_of(samples.ids[i]);
    if (!stack && !samples.may_lack_nodes) return stack.error();
    if (i < samples.deltas_us.size()) at += samples.deltas_us[i];
    double duration = 0;
    if (i + 1 < samples.deltas_us.size()) {
      duration = samples.deltas_us[i + 1];
    } else if (i + 1 == samples.ids.size() && samples.end_us > at && !samples.deltas_us.empty()) {
      duration = samples.end_us - at;
    }
    if (!stack) {
      ++p.counters.skipped;
      continue;
    }
    // Clocks of several threads make some deltas negative.
    const std::array<std::int64_t, 2> values = {1, round_number(std::max(0.0, duration) * 1000)};
    p.accumulate(*stack, labels, values);
  }
  return {};
}

void add_v8_types(Profile& p) {
  p.add_sample_type("samples", "count");
  p.add_sample_type("wall", "nanoseconds");
}

Sniff sniff_cpuprofile(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (!head_is_json(head) || head_has_key(head, "traceEvents")) return Sniff::no;
  if (head[head.find_first_not_of(" \t\r\n")] == '[') return Sniff::no;  // a list of trace events
  const bool names = head_has_key(head, "functionName");
  const bool flat = head_has_key(head, "nodes") && head_has_key(head, "callFrame");
  const bool nested = head_has_key(head, "head") && head_has_key(head, "hitCount");
  return names && (flat || nested) && head_has_key(head, "hitCount") ? Sniff::likely : Sniff::no;
}

Result<Profile> read_cpuprofile(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const JsonDocument document, JsonDocument::read(source, options, "cpuprofile"));
  JsonElement root = document.root();
  if (json_has(root, "profile")) root = json_member(root, "profile");
  Profile p;
  add_v8_types(p);
  V8Tree tree{p, "cpuprofile"};
  V8Samples samples;
  if (json_has(root, "head")) {
    HPROF_TRY(tree.add_nested(json_member(root, "head")));
  } else {
    HPROF_TRY(tree.add_flat(json_array(root, "nodes")));
  }
  if (tree.nodes().empty()) {
    return Error{ErrorKind::malformed_input, "cpuprofile: neither nodes nor a head", {}};
  }
  for (const JsonElement id : json_array(root, "samples")) samples.ids.push_back(as_index(id, ~0ULL));
  samples.start_us = json_number(root, "startTime");
  samples.end_us = json_number(root, "endTime");
  for (const JsonElement d : json_array(root, "timeDeltas")) samples.deltas_us.push_back(as_number(d));
  double last = samples.start_us;
  for (const JsonElement t : json_array(root, "timestamps")) {
    samples.deltas_us.push_back(as_number(t) - last);
    last = as_number(t);
  }
  if (samples.ids.empty()) {
    for (const V8Tree::Node& node : tree.nodes()) {
      const auto hits = round_number(json_number(node.json, "hitCount"));
      if (hits != 0) p.accumulate(node.stack, 0, std::array<std::int64_t, 2>{hits, 0});
    }
  } else {
    HPROF_TRY(add_v8_samples(p, tree, samples, 0));
  }
  p.header.duration_nanos = round_number((samples.end_us - samples.start_us) * 1000);
  return p;
}

Sniff sniff_heapprofile(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  const bool fits = head_is_json(head) && head_has_key(head, "head") &&
                    head_has_key(head, "callFrame") && head_has_key(head, "selfSize");
  return fits ? Sniff::likely : Sniff::no;
}

Result<Profile> read_heapprofile(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const JsonDocument document, JsonDocument::read(source, options, "heapprofile"));
  const JsonElement root = document.root();
  if (!json_has(root, "head")) {
    return Error{ErrorKind::malformed_input, "heapprofile: no head", {}};
  }
  Profile p;
  p.add_sample_type("inuse_space", "bytes");
  V8Tree tree{p, "heapprofile"};
  HPROF_TRY(tree.add_nested(json_member(root, "head")));
  for (const V8Tree::Node& node : tree.nodes()) {
    const auto size = round_number(json_number(node.json, "selfSize"));
    if (size != 0) p.accumulate(node.stack, 0, std::array<std::int64_t, 1>{size});
  }
  return p;
}

}  // namespace hprof::formats
