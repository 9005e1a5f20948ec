// SPDX-License-Identifier: Apache-2.0
#include "otlp_dictionary.h"

#include "proto_in.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace hprof::formats {
namespace {

// ProfilesDictionary: mapping 1, location 2, function 3, link 4, string 5, attribute 6, stack 7.
enum Table : std::uint32_t {
  kMappings = 1,
  kLocations = 2,
  kFunctions = 3,
  kStrings = 5,
  kAttributes = 6,
  kStacks = 7,
};

Error malformed(std::string_view what) {
  return {ErrorKind::malformed_input, fmt::format("otlp: {}", what), {}};
}

Result<void> require(const ProtoCursor& cursor, std::string_view what) {
  if (cursor.ok()) return {};
  return malformed(fmt::format("broken {}", what));
}

template <typename T>
Result<T> row(const std::vector<T>& table, std::uint64_t index, std::string_view name) {
  if (index < table.size()) return table[index];
  return malformed(fmt::format("{} {} of {}", name, static_cast<std::int64_t>(index), table.size()));
}

// Fields 1..5 of a message that are plain numbers.
struct Numbers {
  std::array<std::uint64_t, 6> at{};
};

Result<Numbers> numbers(Bytes message, std::string_view what) {
  ProtoCursor cursor{message};
  ProtoField field;
  Numbers out;
  while (cursor.next(field)) {
    if (field.number < out.at.size() && field.wire == 0) out.at[field.number] = field.value;
  }
  HPROF_TRY(require(cursor, what));
  return out;
}

// A repeated number, packed or not.
Result<void> append_numbers(const ProtoField& field, std::vector<std::uint64_t>& out) {
  if (field.wire == 0) {
    out.push_back(field.value);
    return {};
  }
  ProtoCursor list{field.bytes};
  std::uint64_t value = 0;
  while (!list.at_end() && list.varint(value)) out.push_back(value);
  return require(list, "list of numbers");
}

}  // namespace

void set_any_value(Bytes message, Label& label, Profile& profile) {
  ProtoCursor cursor{message};
  ProtoField field;
  while (cursor.next(field)) {
    if (field.number == 1 && field.wire == 2) {
      label.text = profile.intern(as_text(field.bytes));
    } else if (field.number == 2 && field.wire == 0) {
      label.text = profile.intern(field.value != 0 ? "true" : "false");
    } else if (field.number == 3 && field.wire == 0) {
      label.is_number = true;
      label.number = static_cast<std::int64_t>(field.value);
    } else if (field.number == 4 && field.wire == 1) {
      const auto value = std::bit_cast<double>(ByteReader{field.bytes}.u64());
      label.text = profile.intern(fmt::format("{}", value));
    }
  }
}

Result<OtlpDictionary> OtlpDictionary::read(Bytes message, Profile& profile) {
  OtlpDictionary self;
  ProtoCursor cursor{message};
  ProtoField field;
  while (cursor.next(field)) {
    if (field.number < std::size(self.raw_) && field.wire == 2) {
      self.raw_[field.number].push_back(field.bytes);
    }
  }
  HPROF_TRY(require(cursor, "dictionary"));
  HPROF_TRY(self.add_strings(profile));
  HPROF_TRY(self.add_attributes(profile));
  HPROF_TRY(self.add_mappings(profile));
  HPROF_TRY(self.add_functions(profile));
  HPROF_TRY(self.add_locations(profile));
  HPROF_TRY(self.add_stacks(profile));
  return self;
}

Result<StringId> OtlpDictionary::text(std::uint64_t index) const {
  // Index 0 means "none" in every table, also in one that is not there.
  return index == 0 ? Result<StringId>{StringId{0}} : row(texts_, index, "string");
}

Result<StackId> OtlpDictionary::stack(std::uint64_t index) const {
  return index == 0 && stacks_.empty() ? Result<StackId>{StackId{0}} : row(stacks_, index, "stack");
}

Result<void> OtlpDictionary::attribute(std::uint64_t index, std::vector<Label>& labels) const {
  HPROF_ASSIGN(const Label label, row(attributes_, index, "attribute"));
  if (label.key != 0) labels.push_back(label);
  return {};
}

Result<void> OtlpDictionary::add_strings(Profile& profile) {
  for (const Bytes text : raw_[kStrings]) texts_.push_back(profile.intern(as_text(text)));
  if (!texts_.empty() && texts_[0] != 0) return malformed("string_table[0] is not empty");
  return {};
}

// KeyValueAndUnit: key_strindex 1, value 2, unit_strindex 3.
Result<Label> OtlpDictionary::read_attribute(Bytes message, Profile& profile) const {
  ProtoCursor cursor{message};
  ProtoField field;
  Label label;
  while (cursor.next(field)) {
    if (field.number == 1 && field.wire == 0) {
      HPROF_ASSIGN(label.key, text(field.value));
    } else if (field.number == 2 && field.wire == 2) {
      set_any_value(field.bytes, label, profile);
    } else if (field.number == 3 && field.wire == 0) {
      HPROF_ASSIGN(label.unit, text(field.value));
    }
  }
  HPROF_TRY(require(cursor, "attribute"));
  return label;
}

Result<void> OtlpDictionary::add_attributes(Profile& profile) {
  for (const Bytes message : raw_[kAttributes]) {
    HPROF_ASSIGN(Label label, read_attribute(message, profile));
    attributes_.push_back(label);
  }
  return {};
}

// Mapping: memory_start 1, memory_limit 2, file_offset 3, filename_strindex 4, attributes 5.
Result<void> OtlpDictionary::add_mappings(Profile& profile) {
  for (const Bytes message : raw_[kMappings]) {
    if (mappings_.empty()) {  // row 0 is "none"
      mappings_.push_back(0);
      continue;
    }
    HPROF_ASSIGN(const Numbers n, numbers(message, "mapping"));
    Mapping mapping{.start = n.at[1], .limit = n.at[2], .file_offset = n.at[3]};
    HPROF_ASSIGN(mapping.filename, text(n.at[4]));
    ProtoCursor cursor{message};
    ProtoField field;
    std::vector<std::uint64_t> indexes;
    while (cursor.next(field)) {
      if (field.number == 5) HPROF_TRY(append_numbers(field, indexes));
    }
    for (const std::uint64_t index : indexes) {
      HPROF_ASSIGN(const Label label, row(attributes_, index, "attribute"));
      const std::string_view key = profile.string(label.key);
      if (key == "process.executable.build_id.gnu") mapping.build_id = label.text;
    }
    mappings_.push_back(profile.add_mapping(mapping));
  }
  return {};
}

// Function: name_strindex 1, system_name_strindex 2, filename_strindex 3, start_line 4.
Result<void> OtlpDictionary::add_functions(Profile& profile) {
  for (const Bytes message : raw_[kFunctions]) {
    if (functions_.empty()) {
      functions_.push_back(0);
      continue;
    }
    HPROF_ASSIGN(const Numbers n, numbers(message, "function"));
    Function function{.start_line = static_cast<std::int64_t>(n.at[4])};
    HPROF_ASSIGN(function.name, text(n.at[1]));
    HPROF_ASSIGN(function.system_name, text(n.at[2]));
    HPROF_ASSIGN(function.filename, text(n.at[3]));
    functions_.push_back(profile.intern_function(function));
  }
  return {};
}

// Location: mapping_index 1, address 2, lines 3 (function_index 1, line 2, column 3).
Result<void> OtlpDictionary::add_locations(Profile& profile) {
  for (const Bytes message : raw_[kLocations]) {
    if (locations_.empty()) {
      locations_.push_back(0);
      continue;
    }
    HPROF_ASSIGN(const Numbers n, numbers(message, "location"));
    MappingId mapping = 0;
    if (n.at[1] != 0) {
      HPROF_ASSIGN(mapping, row(mappings_, n.at[1], "mapping"));
    }
    std::vector<Line> lines;
    ProtoCursor cursor{message};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number != 3 || field.wire != 2) continue;
      HPROF_ASSIGN(const Numbers l, numbers(field.bytes, "line"));
      HPROF_ASSIGN(const FunctionId function, row(functions_, l.at[1], "function"));
      if (function == 0) continue;
      lines.push_back({.function = function,
                       .line = static_cast<std::int64_t>(l.at[2]),
                       .column = static_cast<std::int64_t>(l.at[3])});
    }
    locations_.push_back(profile.intern_location(mapping, n.at[2], lines));
  }
  return {};
}

// Stack: location_indices 1, leaf first.
Result<void> OtlpDictionary::add_stacks(Profile& profile) {
  for (const Bytes message : raw_[kStacks]) {
    ProtoCursor cursor{message};
    ProtoField field;
    std::vector<std::uint64_t> indexes;
    while (cursor.next(field)) {
      if (field.number == 1) HPROF_TRY(append_numbers(field, indexes));
    }
    HPROF_TRY(require(cursor, "stack"));
    std::vector<LocationId> path;
    for (const std::uint64_t index : indexes) {
      HPROF_ASSIGN(const LocationId location, row(locations_, index, "location"));
      if (location != 0) path.push_back(location);
    }
    stacks_.push_back(profile.intern_stack_leaf_first(path));
  }
  return {};
}

}  // namespace hprof::formats
