// SPDX-License-Identifier: Apache-2.0
#include "json_document.h"
#include "json_readers.h"
#include "named_location.h"

#include <fmt/format.h>

#include <map>

namespace hprof::formats {
namespace {

Error malformed(std::string_view what) {
  return {ErrorKind::malformed_input, fmt::format("speedscope: {}", what), {}};
}

struct UnitRow {
  std::string_view name;
  std::string_view type;
  std::string_view unit;
  double factor;
};

constexpr UnitRow kUnits[] = {
    {"nanoseconds", "time", "nanoseconds", 1}, {"microseconds", "time", "nanoseconds", 1e3},
    {"milliseconds", "time", "nanoseconds", 1e6}, {"seconds", "time", "nanoseconds", 1e9},
    {"bytes", "space", "bytes", 1},            {"none", "samples", "count", 1},
};

const UnitRow& unit_named(std::string_view name) {
  for (const UnitRow& row : kUnits) {
    if (row.name == name) return row;
  }
  return kUnits[std::size(kUnits) - 1];
}

class Reader {
 public:
  explicit Reader(const JsonDocument& document) : root_(document.root()) {}

  Result<Profile> run() {
    own_ = json_text(root_, "exporter").starts_with("hprof");
    for (const JsonElement frame : json_array(json_member(root_, "shared"), "frames")) {
      frames_.push_back(
          named_location(p_, {.name = json_text(frame, "name"),
                              .file = json_text(frame, "file"),
                              .line = round_number(json_number(frame, "line")),
                              .column = round_number(json_number(frame, "col"))}));
    }
    const std::vector<JsonElement> profiles = json_array(root_, "profiles");
    if (profiles.empty()) return malformed("no profiles");
    several_ = profiles.size() > 1;
    for (const JsonElement profile : profiles) add_type(profile);
    for (const JsonElement profile : profiles) {
      HPROF_TRY(one(profile));
    }
    return std::move(p_);
  }

 private:
  // The column of a profile: in a file of ours its name, "cpu" or "cpu, thread", says the type.
  std::string column_key(JsonElement profile) const {
    const std::string_view name = json_text(profile, "name");
    const UnitRow& unit = unit_named(json_text(profile, "unit"));
    return fmt::format("{}/{}", own_ ? name.substr(0, name.find(", ")) : unit.type, unit.unit);
  }

  // What tells a profile from the others of its column.
  std::string_view thread_of(JsonElement profile) const {
    const std::string_view name = json_text(profile, "name");
    if (!own_) return several_ ? name : std::string_view{};
    const std::size_t comma = name.find(", ");
    return comma == std::string_view::npos ? std::string_view{} : name.substr(comma + 2);
  }

  void add_type(JsonElement profile) {
    const std::string key = column_key(profile);
    if (columns_.contains(key)) return;
    const std::size_t slash = key.find('/');
    columns_[key] = p_.add_sample_type(key.substr(0, slash), key.substr(slash + 1));
  }

  Result<void> one(JsonElement profile) {
    column_ = columns_[column_key(profile)];
    factor_ = unit_named(json_text(profile, "unit")).factor;
    labels_ = 0;
    if (const std::string_view thread = thread_of(profile); !thread.empty()) {
      const std::array<Label, 1> labels = {p_.text_label("thread", thread)};
      labels_ = p_.intern_labels(labels);
    }
    const std::string_view type = json_text(profile, "type");
    if (type == "sampled") return sampled(profile);
    if (type == "evented") return evented(profile);
    return malformed(fmt::format("profile of unknown type '{}'", type));
  }

  Result<LocationId> frame(JsonElement index) const {
    const std::uint64_t i = as_index(index, frames_.size());
    if (i < frames_.size()) return frames_[i];
    return malformed(fmt::format("frame {} of {}", as_number(index, -1), frames_.size()));
  }

  void add(StackId stack, double weight) {
    std::vector<std::int64_t> values(p_.sample_types().size(), 0);
    values[column_] = round_number(weight * factor_);
    p_.accumulate(stack, labels_, values);
  }

  Result<void> sampled(JsonElement profile) {
    const std::vector<JsonElement> samples = json_array(profile, "samples");
    const std::vector<JsonElement> weights = json_array(profile, "weights");
    if (!weights.empty() && weights.size() != samples.size()) {
      return malformed(fmt::format("{} weights for {} samples", weights.size(), samples.size()));
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      simdjson::dom::array path;
      if (samples[i].get(path) != simdjson::SUCCESS) return malformed("a sample is no list");
      StackId stack = 0;
      for (const JsonElement index : path) {
        HPROF_ASSIGN(const LocationId location, frame(index));
        stack = p_.intern_stack(stack, location);
      }
      add(stack, weights.empty() ? 1 : as_number(weights[i]));
    }
    return {};
  }

  Result<void> evented(JsonElement profile) {
    std::vector<StackId> open = {0};
    double last = json_number(profile, "startValue");
    for (const JsonElement event : json_array(profile, "events")) {
      const double at = json_number(event, "at", last);
      if (at < last) return malformed(fmt::format("an event at {} comes after one at {}", at, last));
      if (at > last && open.size() > 1) add(open.back(), at - last);
      last = at;
      HPROF_ASSIGN(const LocationId location, frame(json_member(event, "frame")));
      const std::string_view type = json_text(event, "type");
      if (type == "O") {
        open.push_back(p_.intern_stack(open.back(), location));
      } else if (type != "C" || open.size() == 1 || p_.stack(open.back()).location != location) {
        return malformed(fmt::format("an event at {} closes a frame that is not open", at));
      } else {
        open.pop_back();
      }
    }
    const double end = json_number(profile, "endValue", last);
    if (end > last && open.size() > 1) add(open.back(), end - last);
    return {};
  }

  JsonElement root_;
  Profile p_;
  bool own_ = false;
  bool several_ = false;
  std::vector<LocationId> frames_;
  std::map<std::string, std::size_t> columns_;
  std::size_t column_ = 0;
  double factor_ = 1;
  LabelSetId labels_ = 0;
};

}  // namespace

Sniff sniff_speedscope(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (!head_is_json(head)) return Sniff::no;
  if (head.find("speedscope.app/file-format-schema") != std::string_view::npos) return Sniff::magic;
  const bool fits = head_has_key(head, "shared") && head_has_key(head, "frames");
  if (fits && (head_has_key(head, "profiles") || head.find("speedscope") < head.size())) {
    return Sniff::likely;
  }
  return Sniff::no;
}

Result<Profile> read_speedscope(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const JsonDocument document, JsonDocument::read(source, options, "speedscope"));
  return Reader{document}.run();
}

}  // namespace hprof::formats
