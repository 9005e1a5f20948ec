// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/intern_table.h>
#include <hprof/core/profile/string_table.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hprof {

// Ids index the profile's tables. 0 always means "none": the empty string, no mapping, no function,
// no location, the empty stack, no labels.
using MappingId = std::uint32_t;
using FunctionId = std::uint32_t;
using LocationId = std::uint32_t;
using StackId = std::uint32_t;
using LabelSetId = std::uint32_t;

/// What one value column counts, e.g. {"cpu", "nanoseconds"}.
struct ValueType {
  StringId type = 0;
  StringId unit = 0;
  bool operator==(const ValueType&) const = default;
};

/// One range of memory that code was mapped into. Addresses in [start, limit).
struct Mapping {
  std::uint64_t start = 0;
  std::uint64_t limit = 0;
  std::uint64_t file_offset = 0;
  StringId filename = 0;
  StringId build_id = 0;  ///< lower-case hex
  bool has_functions = false;
  bool has_filenames = false;
  bool has_line_numbers = false;
  bool has_inline_frames = false;
  bool operator==(const Mapping&) const = default;
};

struct Function {
  StringId name = 0;         ///< demangled
  StringId system_name = 0;  ///< as in the symbol table
  StringId filename = 0;
  std::int64_t start_line = 0;
  bool operator==(const Function&) const = default;
};

struct Line {
  FunctionId function = 0;
  std::int64_t line = 0;
  std::int64_t column = 0;
  bool operator==(const Line&) const = default;
};

/// One physical frame. For a caller the address is inside the call (return address - 1).
struct Location {
  MappingId mapping = 0;
  std::uint64_t address = 0;
  std::uint32_t first_line = 0;  ///< into the line column, see Profile::lines()
  std::uint32_t line_count = 0;
  bool is_folded = false;
};

/// A node of the stack trie: `location` called by the stack `parent`. Node 0 is the empty stack.
struct StackNode {
  StackId parent = 0;
  LocationId location = 0;
  bool operator==(const StackNode&) const = default;
};

/// A label of a sample: text, or a number with a unit.
struct Label {
  StringId key = 0;
  StringId text = 0;
  std::int64_t number = 0;
  StringId unit = 0;
  bool is_number = false;
  bool operator==(const Label&) const = default;
};

/// How a profile was made, as far as the profile.proto header tells.
struct ProfileHeader {
  std::int64_t time_nanos = 0;      ///< start of the window, ns since 1970 UTC
  std::int64_t duration_nanos = 0;  ///< real length of the window
  ValueType period_type;
  std::int64_t period = 0;
  StringId default_sample_type = 0;  ///< names a type; 0: the last type
  StringId drop_frames = 0;
  StringId keep_frames = 0;
  StringId doc_url = 0;
  std::vector<StringId> comments;
};

/// What went wrong while the profile was taken or read; counted, reported once at the end.
struct ProfileCounters {
  std::uint64_t lost = 0;             ///< samples the kernel dropped
  std::uint64_t throttled = 0;        ///< throttle periods
  std::uint64_t truncated = 0;        ///< samples whose stack does not reach the root
  std::uint64_t skipped = 0;          ///< input records that could not be used
};

/// Fields of messages that this version does not know, kept for a pprof -> pprof rewrite.
/// Raw protobuf fields, by row of their message. Source: reference reader drops them.
struct UnknownFields {
  std::string profile;
  std::map<MappingId, std::string> mappings;
  std::map<FunctionId, std::string> functions;
  std::map<LocationId, std::string> locations;
  std::map<std::uint32_t, std::string> samples;  ///< by sample row
};

/// A profile in columns: strings, functions, locations and stacks are interned, a sample is a stack,
/// a label set and one value in each value column.
/// Order: stacks lead from the root (parent) to the leaf; lines of a location lead from the
/// innermost inlined function outwards. Not thread safe.
class Profile {
 public:
  Profile();

  ProfileHeader header;
  ProfileCounters counters;
  UnknownFields unknown;

  // --- strings
  StringId intern(std::string_view text) { return strings_.intern(text); }
  [[nodiscard]] std::string_view string(StringId id) const { return strings_[id]; }
  [[nodiscard]] std::size_t string_count() const { return strings_.size(); }
  [[nodiscard]] const StringTable& strings() const { return strings_; }

  // --- value columns
  /// Adds a value column; existing samples get 0 in it. Returns its index.
  std::size_t add_sample_type(std::string_view type, std::string_view unit);
  [[nodiscard]] std::span<const ValueType> sample_types() const { return sample_types_; }
  /// The column named `type` ("cpu", or "cpu/nanoseconds").
  [[nodiscard]] std::optional<std::size_t> find_sample_type(std::string_view type) const;
  /// The column that default_sample_type names, else the last. 0 if there is none at all.
  [[nodiscard]] std::size_t default_sample_type_index() const;

  // --- tables; ids start at 1
  MappingId add_mapping(const Mapping& mapping);
  /// The id of an equal mapping, added if there is none. Linear: for the few dozen of a process.
  MappingId intern_mapping(const Mapping& mapping);
  [[nodiscard]] const Mapping& mapping(MappingId id) const { return mappings_[id]; }
  Mapping& mapping(MappingId id) { return mappings_[id]; }
  [[nodiscard]] std::uint32_t mapping_count() const { return count_of(mappings_); }

  FunctionId intern_function(const Function& function);
  /// A function known by its name only.
  FunctionId intern_function(std::string_view name);
  [[nodiscard]] const Function& function(FunctionId id) const { return functions_[id]; }
  [[nodiscard]] std::uint32_t function_count() const { return count_of(functions_); }

  LocationId intern_location(MappingId mapping, std::uint64_t address,
                             std::span<const Line> lines = {}, bool is_folded = false);
  [[nodiscard]] const Location& location(LocationId id) const { return locations_[id]; }
  /// The frames of a location, innermost inlined function first; empty if it has no symbols.
  [[nodiscard]] std::span<const Line> lines(LocationId id) const {
    const Location& l = locations_[id];
    return {lines_.data() + l.first_line, l.line_count};
  }
  /// Gives a location its frames, for a symbolizer. Locations that became equal stay apart.
  void set_lines(LocationId id, std::span<const Line> lines);
  [[nodiscard]] std::uint32_t location_count() const { return count_of(locations_); }

  StackId intern_stack(StackId parent, LocationId location);
  /// A whole stack, leaf first.
  StackId intern_stack_leaf_first(std::span<const LocationId> locations);
  [[nodiscard]] const StackNode& stack(StackId id) const { return stacks_[id]; }
  /// Nodes of the trie without the empty one; parents always have smaller ids than children.
  [[nodiscard]] std::uint32_t stack_count() const { return count_of(stacks_); }
  /// The locations of a stack, leaf first, into `out` (cleared first).
  void stack_leaf_first(StackId id, std::vector<LocationId>& out) const;

  /// Interns labels; their order is part of the identity.
  LabelSetId intern_labels(std::span<const Label> labels);
  [[nodiscard]] std::span<const Label> labels(LabelSetId id) const {
    const LabelRange& range = label_sets_[id];
    return {labels_.data() + range.first, range.count};
  }
  [[nodiscard]] std::uint32_t label_set_count() const { return count_of(label_sets_); }
  Label text_label(std::string_view key, std::string_view text);
  Label number_label(std::string_view key, std::int64_t number, std::string_view unit = {});

  // --- samples: rows 0 .. sample_count()-1
  /// Appends a row. `values` has one entry for each sample type.
  std::uint32_t add_sample(StackId stack, LabelSetId labels, std::span<const std::int64_t> values);
  /// Adds to the row with this stack and these labels, appending it if there is none.
  std::uint32_t accumulate(StackId stack, LabelSetId labels, std::span<const std::int64_t> values);
  [[nodiscard]] std::uint32_t sample_count() const {
    return static_cast<std::uint32_t>(sample_stacks_.size());
  }
  [[nodiscard]] StackId sample_stack(std::uint32_t row) const { return sample_stacks_[row]; }
  [[nodiscard]] LabelSetId sample_labels(std::uint32_t row) const { return sample_labels_[row]; }
  [[nodiscard]] std::int64_t value(std::size_t type, std::uint32_t row) const {
    return values_[type][row];
  }
  [[nodiscard]] std::span<const std::int64_t> values(std::size_t type) const {
    return values_[type];
  }
  [[nodiscard]] std::span<std::int64_t> mutable_values(std::size_t type) { return values_[type]; }
  /// A row of select_rows().
  struct Row {
    std::uint32_t from = 0;  ///< the row whose values it takes
    StackId stack = 0;
    LabelSetId labels = 0;
  };
  /// Makes `rows` all there is. Tables keep what no row uses any more; see compact().
  void select_rows(std::span<const Row> rows);
  /// Keeps these columns, in this order.
  void select_sample_types(std::span<const std::size_t> columns);
  /// Names a column anew; its values stay.
  void set_sample_type(std::size_t column, ValueType type) { sample_types_[column] = type; }

  /// Sum of a column; the absolute values if `absolute`.
  [[nodiscard]] std::int64_t total(std::size_t type, bool absolute = false) const;

  /// Bytes held by all tables, roughly.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct LabelRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  template <typename T>
  static std::uint32_t count_of(const std::vector<T>& table) {
    return static_cast<std::uint32_t>(table.size() - 1);
  }
  [[nodiscard]] std::uint64_t hash_location(LocationId id) const;
  [[nodiscard]] std::uint64_t hash_row(std::uint32_t row) const;
  void index_rows();
  void index_locations();

  StringTable strings_;
  std::vector<ValueType> sample_types_;
  std::vector<Mapping> mappings_{1};
  std::vector<Function> functions_{1};
  InternTable function_index_;
  std::vector<Line> lines_;
  std::vector<Location> locations_{1};
  InternTable location_index_;
  std::uint32_t indexed_locations_ = 1;
  std::vector<StackNode> stacks_{1};
  InternTable stack_index_;
  std::vector<Label> labels_;
  std::vector<LabelRange> label_sets_{1};
  InternTable label_index_;
  std::vector<StackId> sample_stacks_;
  std::vector<LabelSetId> sample_labels_;
  std::vector<std::vector<std::int64_t>> values_;
  InternTable row_index_;
  std::uint32_t indexed_rows_ = 0;
};

/// The name shown for frame `line` of a location: the function's name, else "[module+0xoff]" where
/// the offset is known, "[module]" where only the module is, else "[unknown]". Source: SPEC.md 6.
std::string frame_name(const Profile& profile, LocationId id, std::size_t line);
/// How many frames a location shows: its lines, or one for an unsymbolized address.
std::size_t frame_count(const Profile& profile, LocationId id);

}  // namespace hprof
