// SPDX-License-Identifier: Apache-2.0
#include "table_copy.h"

#include <algorithm>

namespace hprof {

TableCopy::TableCopy(const Profile& from, Profile& into)
    : from_(from),
      into_(into),
      texts_(from.strings().size(), kUnset),
      mappings_(from.mapping_count() + std::size_t{1}, kUnset),
      functions_(from.function_count() + std::size_t{1}, kUnset),
      locations_(from.location_count() + std::size_t{1}, kUnset),
      stacks_(from.stack_count() + std::size_t{1}, kUnset),
      label_sets_(from.label_set_count() + std::size_t{1}, kUnset) {
  stacks_[0] = 0;
  for (MappingId id = 1; id <= into.mapping_count(); ++id) {
    known_mappings_.emplace(mapping_key(into, into.mapping(id)), id);
  }
  if (into.mapping_count() == 0 && from.mapping_count() != 0) mapping(1);
}

TableCopy::MappingKey TableCopy::mapping_key(const Profile& profile, const Mapping& m) {
  constexpr std::uint64_t kRounding = 0x1000;
  const std::uint64_t size = m.limit - m.start + kRounding - 1;
  return {size - size % kRounding, m.file_offset,
          profile.string(m.build_id != 0 ? m.build_id : m.filename)};
}

StringId TableCopy::text(StringId id) {
  if (texts_[id] == kUnset) texts_[id] = into_.intern(from_.string(id));
  return texts_[id];
}

MappingId TableCopy::mapping(MappingId id) {
  if (id == 0) return 0;
  if (mappings_[id] != kUnset) return mappings_[id];
  const Mapping& m = from_.mapping(id);
  const auto known = known_mappings_.find(mapping_key(from_, m));
  if (known != known_mappings_.end()) {
    Mapping& kept = into_.mapping(known->second);
    kept.has_functions |= m.has_functions;
    kept.has_filenames |= m.has_filenames;
    kept.has_line_numbers |= m.has_line_numbers;
    kept.has_inline_frames |= m.has_inline_frames;
    return mappings_[id] = known->second;
  }
  Mapping copy = m;
  copy.filename = text(m.filename);
  copy.build_id = text(m.build_id);
  const MappingId added = into_.add_mapping(copy);
  // The key's view must outlive this copy: it points into the table that is kept.
  known_mappings_.emplace(mapping_key(into_, into_.mapping(added)), added);
  if (const auto u = from_.unknown.mappings.find(id); u != from_.unknown.mappings.end()) {
    into_.unknown.mappings.emplace(added, u->second);
  }
  return mappings_[id] = added;
}

FunctionId TableCopy::function(FunctionId id) {
  if (functions_[id] != kUnset) return functions_[id];
  const Function& f = from_.function(id);
  const FunctionId added = into_.intern_function({.name = text(f.name),
                                                  .system_name = text(f.system_name),
                                                  .filename = text(f.filename),
                                                  .start_line = f.start_line});
  if (const auto u = from_.unknown.functions.find(id); u != from_.unknown.functions.end()) {
    into_.unknown.functions.emplace(added, u->second);
  }
  return functions_[id] = added;
}

LocationId TableCopy::location(LocationId id) {
  if (locations_[id] != kUnset) return locations_[id];
  const Location& l = from_.location(id);
  std::vector<Line> lines{from_.lines(id).begin(), from_.lines(id).end()};
  for (Line& line : lines) line.function = function(line.function);
  const MappingId mapped = mapping(l.mapping);
  // Address 0 is "no address", of a frame known by name only; it does not move.
  const std::uint64_t moved =
      l.address == 0 ? 0 : l.address - from_.mapping(l.mapping).start + into_.mapping(mapped).start;
  const LocationId added = into_.intern_location(mapped, moved, lines, l.is_folded);
  if (const auto u = from_.unknown.locations.find(id); u != from_.unknown.locations.end()) {
    into_.unknown.locations.emplace(added, u->second);
  }
  return locations_[id] = added;
}

StackId TableCopy::stack(StackId id) {
  path_.clear();
  for (; stacks_[id] == kUnset; id = from_.stack(id).parent) path_.push_back(id);
  StackId at = stacks_[id];
  for (std::size_t i = path_.size(); i > 0; --i) {
    const StackId source = path_[i - 1];
    at = into_.intern_stack(at, location(from_.stack(source).location));
    stacks_[source] = at;
  }
  return at;
}

LabelSetId TableCopy::labels(LabelSetId id) {
  if (label_sets_[id] != kUnset) return label_sets_[id];
  std::vector<Label> copy{from_.labels(id).begin(), from_.labels(id).end()};
  for (Label& label : copy) {
    label.key = text(label.key);
    label.text = text(label.text);
    label.unit = text(label.unit);
  }
  // Values of one key keep their order, which carries meaning; keys do not.
  std::ranges::stable_sort(copy, [this](const Label& a, const Label& b) {
    if (a.key != b.key) return into_.string(a.key) < into_.string(b.key);
    return a.is_number < b.is_number;
  });
  return label_sets_[id] = into_.intern_labels(copy);
}

void TableCopy::copy_unknown_of_sample(std::uint32_t from_row, std::uint32_t into_row) {
  if (from_.unknown.samples.empty()) return;
  const auto found = from_.unknown.samples.find(from_row);
  if (found != from_.unknown.samples.end()) into_.unknown.samples.emplace(into_row, found->second);
}

}  // namespace hprof
