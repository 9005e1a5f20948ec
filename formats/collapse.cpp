// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/collapse.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace hprof::formats {
namespace {

bool is_kernel(std::string_view module) {
  if (module.find("unknown") != std::string_view::npos) return false;
  return module.starts_with('[') || module.ends_with("vmlinux");
}

bool is_jit(std::string_view module) {
  const std::size_t at = module.find("/tmp/perf-");
  if (at != std::string_view::npos && module.ends_with(".map")) return true;
  return module.find("/jitted-") != std::string_view::npos && module.ends_with(".so");
}

/// Builds the view's stacks; each pair of root and source stack is made once.
class Collapser {
 public:
  Collapser(const Profile& from, Profile& to, const CollapseStyle& style)
      : from_(from), to_(to), style_(style) {}

  StackId stack(StackId id, LabelSetId labels) {
    const Root root = root_of(labels);
    path_.clear();
    std::uint32_t known = find(root.id, id);
    while (known == InternTable::kNotFound && id != 0) {
      path_.push_back(id);
      id = from_.stack(id).parent;
      known = find(root.id, id);
    }
    StackId at = known != InternTable::kNotFound ? entries_[known].to : root.stack;
    for (std::size_t i = path_.size(); i > 0; --i) {
      for (const LocationId frame : frames(from_.stack(path_[i - 1]).location, root.java)) {
        at = to_.intern_stack(at, frame);
      }
      remember(root.id, path_[i - 1], at);
    }
    return at;
  }

 private:
  struct Root {
    StringId id = 0;
    StackId stack = 0;
    bool java = false;
    bool made = false;
  };
  struct Entry {
    StringId root = 0;
    StackId from = 0;
    StackId to = 0;
  };

  static std::uint64_t hash(StringId root, StackId from) {
    return mix_hash((std::uint64_t{root} << 32) | from);
  }
  [[nodiscard]] std::uint32_t find(StringId root, StackId from) const {
    return index_.find(hash(root, from), [&](std::uint32_t id) {
      return entries_[id].root == root && entries_[id].from == from;
    });
  }
  void remember(StringId root, StackId from, StackId to) {
    index_.insert(hash(root, from), static_cast<std::uint32_t>(entries_.size()),
                  [&](std::uint32_t id) { return hash(entries_[id].root, entries_[id].from); });
    entries_.push_back({root, from, to});
  }

  LocationId named(std::string_view name, MappingId mapping) {
    const Line line{to_.intern_function(name), 0, 0};
    return to_.intern_location(mapping, 0, {&line, 1});
  }

  Root root_of(LabelSetId labels) {
    if (!style_.comm_root) return {};
    if (labels >= roots_.size()) roots_.resize(labels + 1);
    Root& root = roots_[labels];
    if (root.made) return root;
    std::string comm;
    std::string pid = "?";
    std::string tid = "?";
    for (const Label& label : from_.labels(labels)) {
      const std::string_view key = from_.string(label.key);
      if (key == "thread" && !label.is_number) comm = from_.string(label.text);
      if (key == "pid" && label.is_number) pid = std::to_string(label.number);
      if (key == "tid" && label.is_number) tid = std::to_string(label.number);
    }
    if (style_.tid) {
      comm += fmt::format("-{}/{}", pid, tid);
    } else if (style_.pid) {
      comm += fmt::format("-{}", pid);
    }
    std::ranges::replace(comm, ' ', '_');
    root = {to_.intern(comm), 0, comm.starts_with("java"), true};
    if (!comm.empty()) root.stack = to_.intern_stack(0, named(comm, 0));
    return root;
  }

  MappingId mapping(MappingId id) {
    if (id == 0) return 0;
    if (id >= mappings_.size()) mappings_.resize(id + 1, 0);
    if (mappings_[id] == 0) {
      Mapping copy{.filename = to_.intern(from_.string(from_.mapping(id).filename)),
                   .build_id = to_.intern(from_.string(from_.mapping(id).build_id)),
                   .has_functions = true};
      mappings_[id] = to_.intern_mapping(copy);
    }
    return mappings_[id];
  }

  /// The frames of a location, outermost first.
  const std::vector<LocationId>& frames(LocationId id, bool java) {
    auto& table = frames_[java ? 1 : 0];
    if (id >= table.size()) table.resize(from_.location_count() + 1);
    std::vector<LocationId>& out = table[id];
    if (!out.empty()) return out;
    const MappingId module = mapping(from_.location(id).mapping);
    const auto lines = from_.lines(id);
    for (std::size_t i = std::max<std::size_t>(1, lines.size()); i > 0; --i) {
      out.push_back(named(name(id, i - 1, java), module));
    }
    return out;
  }

  std::string name(LocationId id, std::size_t line, bool java) {
    const auto lines = from_.lines(id);
    const std::string_view module = from_.string(from_.mapping(from_.location(id).mapping).filename);
    std::string out;
    if (line < lines.size()) out = from_.string(from_.function(lines[line].function).name);
    out = out.empty() ? unknown_name(id, module) : tidy_name(out, style_.names, java);
    const auto mark = [&](std::string_view suffix) {
      if (out.find(suffix) == std::string::npos) out += suffix;
    };
    if (line + 1 < lines.size() && (style_.inlined || is_jit(module))) {
      mark("_[i]");
    } else if (style_.kernel && is_kernel(module)) {
      mark("_[k]");
    } else if (style_.jit && is_jit(module)) {
      mark("_[j]");
    }
    return out;
  }

  std::string unknown_name(LocationId id, std::string_view module) {
    const Location& location = from_.location(id);
    const bool none = location.mapping == 0 || module.empty();
    if (!none && !style_.addresses) {
      const std::string shown = frame_name(from_, id, 0);
      if (shown.find("+0x") != std::string::npos) return shown;
    }
    std::string_view base = none ? "unknown" : module.substr(module.rfind('/') + 1);
    if (base.ends_with(" (deleted)")) base.remove_suffix(10);
    return style_.addresses ? fmt::format("[{} <{:x}>]", base, location.address)
                            : fmt::format("[{}]", base);
  }

  const Profile& from_;
  Profile& to_;
  const CollapseStyle& style_;
  std::vector<Root> roots_;
  std::vector<MappingId> mappings_;
  std::vector<std::vector<LocationId>> frames_[2];
  std::vector<Entry> entries_;
  InternTable index_;
  std::vector<StackId> path_;
};

void copy_header(const Profile& from, Profile& to) {
  const auto copy = [&](StringId id) { return to.intern(from.string(id)); };
  for (const ValueType& type : from.sample_types()) {
    to.add_sample_type(from.string(type.type), from.string(type.unit));
  }
  to.counters = from.counters;
  to.header.time_nanos = from.header.time_nanos;
  to.header.duration_nanos = from.header.duration_nanos;
  to.header.period = from.header.period;
  to.header.period_type = {copy(from.header.period_type.type), copy(from.header.period_type.unit)};
  to.header.default_sample_type = copy(from.header.default_sample_type);
  for (const StringId comment : from.header.comments) to.header.comments.push_back(copy(comment));
}

}  // namespace

Profile collapse_view(const Profile& profile, const CollapseStyle& style) {
  Profile view;
  copy_header(profile, view);
  Collapser collapser{profile, view, style};
  std::vector<std::int64_t> values(profile.sample_types().size());
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    for (std::size_t type = 0; type < values.size(); ++type) values[type] = profile.value(type, row);
    view.accumulate(collapser.stack(profile.sample_stack(row), profile.sample_labels(row)), 0, values);
  }
  return view;
}

}  // namespace hprof::formats
