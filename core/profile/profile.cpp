// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/profile.h>

#include <hprof/core/base/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace hprof {
namespace {

std::uint64_t hash_function(const Function& f) {
  std::uint64_t h = combine_hash(f.name, f.system_name);
  h = combine_hash(h, f.filename);
  return combine_hash(h, static_cast<std::uint64_t>(f.start_line));
}

std::uint64_t hash_location_parts(MappingId mapping, std::uint64_t address, bool is_folded,
                                  std::span<const Line> lines) {
  std::uint64_t h = combine_hash(address, (std::uint64_t{mapping} << 1) | (is_folded ? 1 : 0));
  for (const Line& line : lines) {
    h = combine_hash(h, line.function);
    h = combine_hash(h, static_cast<std::uint64_t>(line.line));
    h = combine_hash(h, static_cast<std::uint64_t>(line.column));
  }
  return h;
}

std::uint64_t hash_stack(const StackNode& node) {
  return mix_hash((std::uint64_t{node.parent} << 32) | node.location);
}

std::uint64_t hash_labels(std::span<const Label> labels) {
  std::uint64_t h = labels.size();
  for (const Label& label : labels) {
    h = combine_hash(h, (std::uint64_t{label.key} << 32) | label.text);
    h = combine_hash(h, static_cast<std::uint64_t>(label.number));
    h = combine_hash(h, (std::uint64_t{label.unit} << 1) | (label.is_number ? 1 : 0));
  }
  return h;
}

// Ids are 32 bits wide; a table that would not fit is a broken invariant, readers cap far below.
template <typename T>
std::uint32_t append(std::vector<T>& table, T row) {
  HPROF_CHECK(table.size() < InternTable::kNotFound);
  table.push_back(row);
  return static_cast<std::uint32_t>(table.size() - 1);
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

Profile::Profile() = default;

std::size_t Profile::add_sample_type(std::string_view type, std::string_view unit) {
  sample_types_.push_back({intern(type), intern(unit)});
  values_.emplace_back(sample_stacks_.size(), 0);
  return sample_types_.size() - 1;
}

std::optional<std::size_t> Profile::find_sample_type(std::string_view type) const {
  for (std::size_t i = 0; i < sample_types_.size(); ++i) {
    const std::string_view name = string(sample_types_[i].type);
    if (name == type) return i;
    if (type.starts_with(name) && type.size() > name.size() && type[name.size()] == '/' &&
        type.substr(name.size() + 1) == string(sample_types_[i].unit)) {
      return i;
    }
  }
  return std::nullopt;
}

std::size_t Profile::default_sample_type_index() const {
  for (std::size_t i = 0; i < sample_types_.size(); ++i) {
    if (header.default_sample_type != 0 && sample_types_[i].type == header.default_sample_type) {
      return i;
    }
  }
  return sample_types_.empty() ? 0 : sample_types_.size() - 1;
}

MappingId Profile::add_mapping(const Mapping& mapping) { return append(mappings_, mapping); }

MappingId Profile::intern_mapping(const Mapping& mapping) {
  const auto found = std::find(mappings_.begin() + 1, mappings_.end(), mapping);
  if (found != mappings_.end()) return static_cast<MappingId>(found - mappings_.begin());
  return add_mapping(mapping);
}

FunctionId Profile::intern_function(const Function& function) {
  const std::uint64_t hash = hash_function(function);
  const std::uint32_t found =
      function_index_.find(hash, [&](std::uint32_t id) { return functions_[id] == function; });
  if (found != InternTable::kNotFound) return found;
  const FunctionId id = append(functions_, function);
  function_index_.insert(hash, id, [&](std::uint32_t i) { return hash_function(functions_[i]); });
  return id;
}

FunctionId Profile::intern_function(std::string_view name) {
  const StringId id = intern(name);
  return intern_function({.name = id, .system_name = id});
}

std::uint64_t Profile::hash_location(LocationId id) const {
  const Location& l = locations_[id];
  return hash_location_parts(l.mapping, l.address, l.is_folded, lines(id));
}

LocationId Profile::intern_location(MappingId mapping, std::uint64_t address,
                                    std::span<const Line> lines, bool is_folded) {
  index_locations();
  const std::uint64_t hash = hash_location_parts(mapping, address, is_folded, lines);
  const std::uint32_t found = location_index_.find(hash, [&](std::uint32_t id) {
    const Location& l = locations_[id];
    return l.mapping == mapping && l.address == address && l.is_folded == is_folded &&
           std::ranges::equal(this->lines(id), lines);
  });
  if (found != InternTable::kNotFound) return found;
  const auto first = static_cast<std::uint32_t>(lines_.size());
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  const LocationId id =
      append(locations_, Location{.mapping = mapping,
                                  .address = address,
                                  .first_line = first,
                                  .line_count = static_cast<std::uint32_t>(lines.size()),
                                  .is_folded = is_folded});
  index_locations();
  return id;
}

void Profile::set_lines(LocationId id, std::span<const Line> lines) {
  Location& l = locations_[id];
  l.first_line = static_cast<std::uint32_t>(lines_.size());
  l.line_count = static_cast<std::uint32_t>(lines.size());
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  // The hash of this location changed under the index: it is built anew when next needed.
  location_index_.clear();
  indexed_locations_ = 1;
}

void Profile::index_locations() {
  const auto hash_of = [&](std::uint32_t id) { return hash_location(id); };
  for (; indexed_locations_ < locations_.size(); ++indexed_locations_) {
    location_index_.insert(hash_location(indexed_locations_), indexed_locations_, hash_of);
  }
}

StackId Profile::intern_stack(StackId parent, LocationId location) {
  const StackNode node{parent, location};
  // Most nodes have one child, and it was made right after its parent: such a child is found at
  // parent + 1 and stays out of the index. A stack never seen before is then a plain append.
  const std::size_t next = std::size_t{parent} + 1;
  if (next < stacks_.size() && stacks_[next] == node) return static_cast<StackId>(next);
  if (next == stacks_.size()) return append(stacks_, node);
  const std::uint64_t hash = hash_stack(node);
  const std::uint32_t found =
      stack_index_.find(hash, [&](std::uint32_t id) { return stacks_[id] == node; });
  if (found != InternTable::kNotFound) return found;
  const StackId id = append(stacks_, node);
  stack_index_.insert(hash, id, [&](std::uint32_t i) { return hash_stack(stacks_[i]); });
  return id;
}

StackId Profile::intern_stack_leaf_first(std::span<const LocationId> locations) {
  StackId id = 0;
  for (std::size_t i = locations.size(); i > 0; --i) id = intern_stack(id, locations[i - 1]);
  return id;
}

void Profile::stack_leaf_first(StackId id, std::vector<LocationId>& out) const {
  out.clear();
  for (; id != 0; id = stacks_[id].parent) out.push_back(stacks_[id].location);
}

LabelSetId Profile::intern_labels(std::span<const Label> labels) {
  if (labels.empty()) return 0;
  const std::uint64_t hash = hash_labels(labels);
  const std::uint32_t found = label_index_.find(
      hash, [&](std::uint32_t id) { return std::ranges::equal(this->labels(id), labels); });
  if (found != InternTable::kNotFound) return found;
  const auto first = static_cast<std::uint32_t>(labels_.size());
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  const LabelSetId id =
      append(label_sets_, LabelRange{first, static_cast<std::uint32_t>(labels.size())});
  label_index_.insert(hash, id, [&](std::uint32_t i) { return hash_labels(this->labels(i)); });
  return id;
}

Label Profile::text_label(std::string_view key, std::string_view text) {
  return {.key = intern(key), .text = intern(text)};
}

Label Profile::number_label(std::string_view key, std::int64_t number, std::string_view unit) {
  return {.key = intern(key), .number = number, .unit = intern(unit), .is_number = true};
}

std::uint32_t Profile::add_sample(StackId stack, LabelSetId labels,
                                  std::span<const std::int64_t> values) {
  HPROF_CHECK(values.size() == sample_types_.size());
  HPROF_CHECK(sample_stacks_.size() < InternTable::kNotFound);
  sample_stacks_.push_back(stack);
  sample_labels_.push_back(labels);
  for (std::size_t i = 0; i < values.size(); ++i) values_[i].push_back(values[i]);
  return sample_count() - 1;
}

std::uint64_t Profile::hash_row(std::uint32_t row) const {
  return mix_hash((std::uint64_t{sample_stacks_[row]} << 32) | sample_labels_[row]);
}

void Profile::index_rows() {
  const auto hash_of = [&](std::uint32_t row) { return hash_row(row); };
  for (; indexed_rows_ < sample_count(); ++indexed_rows_) {
    row_index_.insert(hash_row(indexed_rows_), indexed_rows_, hash_of);
  }
}

std::uint32_t Profile::accumulate(StackId stack, LabelSetId labels,
                                  std::span<const std::int64_t> values) {
  HPROF_CHECK(values.size() == sample_types_.size());
  index_rows();
  const std::uint64_t hash = mix_hash((std::uint64_t{stack} << 32) | labels);
  const std::uint32_t found = row_index_.find(hash, [&](std::uint32_t row) {
    return sample_stacks_[row] == stack && sample_labels_[row] == labels;
  });
  if (found == InternTable::kNotFound) return add_sample(stack, labels, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Two's complement wrap, as every other pprof implementation has it; never undefined.
    values_[i][found] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values_[i][found]) +
                                                  static_cast<std::uint64_t>(values[i]));
  }
  return found;
}

void Profile::select_rows(std::span<const Row> rows) {
  std::vector<StackId> stacks;
  std::vector<LabelSetId> labels;
  stacks.reserve(rows.size());
  labels.reserve(rows.size());
  std::map<std::uint32_t, std::string> kept_fields;
  for (const Row& row : rows) {
    if (!unknown.samples.empty()) {
      const auto found = unknown.samples.find(row.from);
      if (found != unknown.samples.end()) {
        kept_fields.emplace(static_cast<std::uint32_t>(stacks.size()), found->second);
      }
    }
    stacks.push_back(row.stack);
    labels.push_back(row.labels);
  }
  for (std::vector<std::int64_t>& column : values_) {
    std::vector<std::int64_t> kept;
    kept.reserve(rows.size());
    for (const Row& row : rows) kept.push_back(column[row.from]);
    column = std::move(kept);
  }
  sample_stacks_ = std::move(stacks);
  sample_labels_ = std::move(labels);
  unknown.samples = std::move(kept_fields);
  row_index_.clear();
  indexed_rows_ = 0;
}

void Profile::select_sample_types(std::span<const std::size_t> columns) {
  std::vector<ValueType> types;
  std::vector<std::vector<std::int64_t>> values;
  for (const std::size_t column : columns) {
    types.push_back(sample_types_[column]);
    values.push_back(values_[column]);
  }
  sample_types_ = std::move(types);
  values_ = std::move(values);
}

std::int64_t Profile::total(std::size_t type, bool absolute) const {
  std::uint64_t sum = 0;
  for (const std::int64_t value : values_[type]) {
    const auto bits = static_cast<std::uint64_t>(value);
    sum += absolute && value < 0 ? std::uint64_t{0} - bits : bits;
  }
  return static_cast<std::int64_t>(sum);
}

std::size_t Profile::memory_bytes() const {
  return strings_.memory_bytes() + mappings_.capacity() * sizeof(Mapping) +
         functions_.capacity() * (sizeof(Function) + 16) + lines_.capacity() * sizeof(Line) +
         locations_.capacity() * (sizeof(Location) + 16) +
         stacks_.capacity() * (sizeof(StackNode) + 16) + labels_.capacity() * sizeof(Label) +
         sample_stacks_.capacity() * (8 + 8 * values_.size());
}

std::string frame_name(const Profile& profile, LocationId id, std::size_t line) {
  const std::span<const Line> lines = profile.lines(id);
  if (line < lines.size()) {
    const std::string_view name = profile.string(profile.function(lines[line].function).name);
    if (!name.empty()) return std::string{name};
  }
  const Location& location = profile.location(id);
  const Mapping& mapping = profile.mapping(location.mapping);
  const std::string_view module = base_name(profile.string(mapping.filename));
  if (location.mapping == 0 || module.empty()) return "[unknown]";
  const std::string_view bare =
      module.starts_with('[') && module.ends_with(']') ? module.substr(1, module.size() - 2)
                                                       : module;
  if (location.address < mapping.start || location.address >= mapping.limit) {
    return fmt::format("[{}]", bare);
  }
  return fmt::format("[{}+{:#x}]", bare, location.address - mapping.start + mapping.file_offset);
}

std::size_t frame_count(const Profile& profile, LocationId id) {
  return std::max<std::size_t>(1, profile.lines(id).size());
}

}  // namespace hprof
