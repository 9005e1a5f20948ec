// SPDX-License-Identifier: Apache-2.0
#include "otlp_writer.h"

#include "losses.h"
#include "utf8.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace hprof::formats {
namespace {

/// A message under construction. Fields of value 0 are left out, as proto3 has it.
class Message {
 public:
  void number(unsigned field, std::uint64_t value) {
    if (value != 0) always(field, value);
  }
  /// A member of a oneof, which 0 must not drop.
  void always(unsigned field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void fixed64(unsigned field, std::uint64_t value) {
    if (value == 0) return;
    varint((field << 3) | 1);
    for (int shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>(value >> shift));
  }
  /// A string or submessage; written even if it is empty.
  void bytes(unsigned field, std::string_view value) {
    varint((field << 3) | 2);
    varint(value.size());
    bytes_.append(value);
  }
  void message(unsigned field, const Message& value) { bytes(field, value.bytes_); }
  template <typename Numbers>
  void packed(unsigned field, const Numbers& numbers) {
    if (numbers.empty()) return;
    Message list;
    for (const auto n : numbers) list.varint(static_cast<std::uint64_t>(n));
    message(field, list);
  }
  [[nodiscard]] const std::string& text() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>((value & 0x7f) | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  std::string bytes_;
};

/// A dictionary table: indexes of what was asked for, in the order of asking. 0 is the zero value.
template <typename Key>
class Indexes {
 public:
  /// The index of `key`, and whether it is new.
  std::pair<std::uint64_t, bool> of(const Key& key) {
    const auto [at, is_new] = known_.try_emplace(key, known_.size() + 1);
    return {at->second, is_new};
  }

 private:
  std::map<Key, std::uint64_t> known_;
};

// Only what samples refer to gets into the dictionary.
class OtlpWriter {
 public:
  OtlpWriter(const Profile& profile, const WriteOptions& options)
      : profile_(profile), options_(options) {
    for (const unsigned table : {1U, 2U, 3U, 4U, 5U, 6U, 7U}) dictionary_.bytes(table, "");
  }

  Result<void> write(ByteSink& sink) {
    Message scope;
    scope.bytes(1, "hprof");
    Message scope_profiles;
    scope_profiles.message(1, scope);
    for (std::size_t type = 0; type < profile_.sample_types().size(); ++type) {
      scope_profiles.message(2, profile_message(type));
    }
    Message resource_profiles;
    resource_profiles.bytes(1, "");
    resource_profiles.message(2, scope_profiles);
    Message data;
    data.message(1, resource_profiles);
    data.message(2, dictionary_);
    if (double_labels_) add_note(options_, "otlp output keeps the first of several values of a label");
    return sink.write(std::string_view{data.text()});
  }

 private:
  enum Table : unsigned {
    kMappings = 1,
    kLocations = 2,
    kFunctions = 3,
    kStrings = 5,
    kAttributes = 6,
    kStacks = 7,
  };

  std::uint64_t string_index(std::string_view text) {
    if (text.empty()) return 0;
    const auto [index, is_new] = strings_.of(is_utf8(text) ? std::string{text} : to_utf8(text));
    if (is_new) dictionary_.bytes(kStrings, is_utf8(text) ? std::string{text} : to_utf8(text));
    return index;
  }

  Message type_message(const ValueType& type) {
    Message out;
    out.number(1, string_index(profile_.string(type.type)));
    out.number(2, string_index(profile_.string(type.unit)));
    return out;
  }

  Message profile_message(std::size_t type) {
    Message out;
    out.message(1, type_message(profile_.sample_types()[type]));
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      if (profile_.value(type, row) != 0) out.message(2, sample_message(type, row));
    }
    out.fixed64(3, static_cast<std::uint64_t>(profile_.header.time_nanos));
    out.number(4, static_cast<std::uint64_t>(profile_.header.duration_nanos));
    out.message(5, type_message(profile_.header.period_type));
    out.number(6, static_cast<std::uint64_t>(profile_.header.period));
    return out;
  }

  Message sample_message(std::size_t type, std::uint32_t row) {
    Message out;
    out.number(1, stack_index(profile_.sample_stack(row)));
    out.packed(2, attribute_indexes(profile_.labels(profile_.sample_labels(row))));
    const std::int64_t value[] = {profile_.value(type, row)};
    out.packed(4, std::span{value});
    return out;
  }

  std::uint64_t stack_index(StackId stack) {
    if (stack == 0) return 0;
    const auto [index, is_new] = stacks_.of(stack);
    if (!is_new) return index;
    std::vector<std::uint64_t> locations;
    for (StackId s = stack; s != 0; s = profile_.stack(s).parent) {
      locations.push_back(location_index(profile_.stack(s).location));
    }
    Message out;
    out.packed(1, locations);
    dictionary_.message(kStacks, out);
    return index;
  }

  std::uint64_t location_index(LocationId id) {
    const auto [index, is_new] = locations_.of(id);
    if (!is_new) return index;
    const Location& location = profile_.location(id);
    Message out;
    out.number(1, mapping_index(location.mapping));
    out.number(2, location.address);
    for (const Line& line : profile_.lines(id)) {
      Message line_message;
      line_message.number(1, function_index(line.function));
      line_message.number(2, static_cast<std::uint64_t>(std::max<std::int64_t>(0, line.line)));
      line_message.number(3, static_cast<std::uint64_t>(std::max<std::int64_t>(0, line.column)));
      out.message(3, line_message);
    }
    dictionary_.message(kLocations, out);
    return index;
  }

  std::uint64_t function_index(FunctionId id) {
    const auto [index, is_new] = functions_.of(id);
    if (!is_new) return index;
    const Function& function = profile_.function(id);
    Message out;
    out.number(1, string_index(profile_.string(function.name)));
    out.number(2, string_index(profile_.string(function.system_name)));
    out.number(3, string_index(profile_.string(function.filename)));
    out.number(4, static_cast<std::uint64_t>(std::max<std::int64_t>(0, function.start_line)));
    dictionary_.message(kFunctions, out);
    return index;
  }

  std::uint64_t mapping_index(MappingId id) {
    if (id == 0) return 0;
    const auto [index, is_new] = mappings_.of(id);
    if (!is_new) return index;
    const Mapping& mapping = profile_.mapping(id);
    Message out;
    out.number(1, mapping.start);
    out.number(2, mapping.limit);
    out.number(3, mapping.file_offset);
    out.number(4, string_index(profile_.string(mapping.filename)));
    if (mapping.build_id != 0) {
      Message value;
      value.bytes(1, profile_.string(mapping.build_id));
      const std::uint64_t attribute[] = {
          attribute_index("process.executable.build_id.gnu", value, "")};
      out.packed(5, std::span{attribute});
    }
    dictionary_.message(kMappings, out);
    return index;
  }

  std::vector<std::uint64_t> attribute_indexes(std::span<const Label> labels) {
    std::vector<std::uint64_t> indexes;
    std::set<StringId> keys;
    for (const Label& label : labels) {
      if (!keys.insert(label.key).second) {
        double_labels_ = true;  // keys of a sample must be unique
        continue;
      }
      Message value;
      if (!label.is_number) {
        value.bytes(1, to_utf8(profile_.string(label.text)));
      } else {
        value.always(3, static_cast<std::uint64_t>(label.number));
      }
      indexes.push_back(
          attribute_index(profile_.string(label.key), value, profile_.string(label.unit)));
    }
    return indexes;
  }

  std::uint64_t attribute_index(std::string_view key, const Message& value, std::string_view unit) {
    Message out;
    out.number(1, string_index(key));
    out.message(2, value);
    out.number(3, string_index(unit));
    const auto [index, is_new] = attributes_.of(out.text());
    if (is_new) dictionary_.message(kAttributes, out);
    return index;
  }

  const Profile& profile_;
  const WriteOptions& options_;
  Message dictionary_;
  Indexes<std::string> strings_;
  Indexes<StackId> stacks_;
  Indexes<LocationId> locations_;
  Indexes<FunctionId> functions_;
  Indexes<MappingId> mappings_;
  Indexes<std::string> attributes_;
  bool double_labels_ = false;
};

}  // namespace

Result<void> write_otlp(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  const ProfileHeader& header = profile.header;
  if (!header.comments.empty() || header.default_sample_type != 0 || header.doc_url != 0) {
    add_note(options, "otlp output leaves out: comments, default sample type, document address");
  }
  return OtlpWriter{profile, options}.write(sink);
}

}  // namespace hprof::formats
