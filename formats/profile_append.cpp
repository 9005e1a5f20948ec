// SPDX-License-Identifier: Apache-2.0
#include "profile_append.h"

namespace hprof::formats {

ProfileAppender::ProfileAppender(const Profile& from, Profile& to)
    : from_(from),
      to_(to),
      strings_(from.string_count(), kUnset),
      mappings_(from.mapping_count() + 1, kUnset),
      functions_(from.function_count() + 1, kUnset),
      locations_(from.location_count() + 1, kUnset),
      stacks_(from.stack_count() + 1, kUnset),
      labels_(from.label_set_count() + 1, kUnset) {
  // Id 0 is "none" in every table of every profile.
  for (auto* table : {&strings_, &mappings_, &functions_, &locations_, &stacks_, &labels_}) {
    table->front() = 0;
  }
}

StringId ProfileAppender::string(StringId id) {
  if (strings_[id] == kUnset) strings_[id] = to_.intern(from_.string(id));
  return strings_[id];
}

MappingId ProfileAppender::mapping(MappingId id) {
  if (mappings_[id] == kUnset) {
    Mapping copy = from_.mapping(id);
    copy.filename = string(copy.filename);
    copy.build_id = string(copy.build_id);
    mappings_[id] = to_.intern_mapping(copy);
  }
  return mappings_[id];
}

FunctionId ProfileAppender::function(FunctionId id) {
  if (functions_[id] == kUnset) {
    Function copy = from_.function(id);
    copy.name = string(copy.name);
    copy.system_name = string(copy.system_name);
    copy.filename = string(copy.filename);
    functions_[id] = to_.intern_function(copy);
  }
  return functions_[id];
}

LocationId ProfileAppender::location(LocationId id) {
  if (locations_[id] == kUnset) {
    const Location& from = from_.location(id);
    line_buffer_.assign(from_.lines(id).begin(), from_.lines(id).end());
    for (Line& line : line_buffer_) line.function = function(line.function);
    locations_[id] =
        to_.intern_location(mapping(from.mapping), from.address, line_buffer_, from.is_folded);
  }
  return locations_[id];
}

StackId ProfileAppender::stack(StackId id) {
  // Upwards to the first known ancestor, then down again: no recursion on deep stacks.
  path_.clear();
  for (; stacks_[id] == kUnset; id = from_.stack(id).parent) path_.push_back(id);
  StackId at = stacks_[id];
  for (std::size_t i = path_.size(); i > 0; --i) {
    at = to_.intern_stack(at, location(from_.stack(path_[i - 1]).location));
    stacks_[path_[i - 1]] = at;
  }
  return at;
}

LabelSetId ProfileAppender::labels(LabelSetId id) {
  if (labels_[id] == kUnset) {
    label_buffer_.assign(from_.labels(id).begin(), from_.labels(id).end());
    for (Label& label : label_buffer_) {
      label.key = string(label.key);
      label.text = string(label.text);
      label.unit = string(label.unit);
    }
    labels_[id] = to_.intern_labels(label_buffer_);
  }
  return labels_[id];
}

}  // namespace hprof::formats
