// SPDX-License-Identifier: Apache-2.0
#include "otlp_reader.h"

#include "otlp_dictionary.h"
#include "proto_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hprof::formats {
namespace {

Error malformed(std::string_view what) {
  return {ErrorKind::malformed_input, fmt::format("otlp: {}", what), {}};
}

// Calls `take` for each field of a message.
template <typename Take>
Result<void> each_field(Bytes message, std::string_view what, const Take& take) {
  ProtoCursor cursor{message};
  ProtoField field;
  while (cursor.next(field)) HPROF_TRY(take(field));
  if (!cursor.ok()) return malformed(fmt::format("broken {} at offset {:#x}", what, cursor.offset()));
  return {};
}

class Reader {
 public:
  explicit Reader(Bytes message) : message_(message) {}

  Result<Profile> run() {
    HPROF_TRY(each_field(message_, "message", [&](const ProtoField& f) -> Result<void> {
      if (f.wire != 2) return {};
      if (f.number == 1) resources_.push_back(f.bytes);
      if (f.number == 2) dictionary_bytes_ = f.bytes;
      return {};
    }));
    if (resources_.empty()) return malformed("no resource_profiles");
    HPROF_ASSIGN(dictionary_, OtlpDictionary::read(dictionary_bytes_, p_));
    for (const Bytes resource : resources_) HPROF_TRY(add_resource(resource, Pass::types));
    for (const Bytes resource : resources_) HPROF_TRY(add_resource(resource, Pass::samples));
    return std::move(p_);
  }

 private:
  // Columns must be known before the first row.
  enum class Pass { types, samples };

  // ResourceProfiles: resource 1 (attributes 1), scope_profiles 2 (profiles 2).
  Result<void> add_resource(Bytes resource, Pass pass) {
    resource_labels_.clear();
    HPROF_TRY(each_field(resource, "resource", [&](const ProtoField& f) -> Result<void> {
      return f.number == 1 && f.wire == 2 ? attributes(f.bytes, pass) : Result<void>{};
    }));
    return each_field(resource, "resource", [&](const ProtoField& f) -> Result<void> {
      if (f.number != 2 || f.wire != 2) return {};
      return each_field(f.bytes, "scope", [&](const ProtoField& g) -> Result<void> {
        if (g.number != 2 || g.wire != 2) return {};
        return pass == Pass::types ? add_type(g.bytes) : add_profile(g.bytes);
      });
    });
  }

  // KeyValue: key 1, value 2.
  Result<void> attributes(Bytes resource, Pass pass) {
    return each_field(resource, "resource", [&](const ProtoField& f) -> Result<void> {
      if (f.number != 1 || f.wire != 2) return {};
      Label label;
      HPROF_TRY(each_field(f.bytes, "attribute", [&](const ProtoField& g) -> Result<void> {
        if (g.number == 1 && g.wire == 2) label.key = p_.intern(as_text(g.bytes));
        if (g.number == 2 && g.wire == 2) set_any_value(g.bytes, label, p_);
        return {};
      }));
      if (resources_.size() > 1) {
        resource_labels_.push_back(label);
      } else if (pass == Pass::types) {
        p_.header.comments.push_back(p_.intern(
            fmt::format("{}={}", p_.string(label.key),
                        label.is_number ? std::to_string(label.number)
                                        : std::string{p_.string(label.text)})));
      }
      return {};
    });
  }

  // ValueType: type_strindex 1, unit_strindex 2.
  Result<ValueType> value_type(Bytes message) const {
    ValueType type;
    HPROF_TRY(each_field(message, "value type", [&](const ProtoField& f) -> Result<void> {
      if (f.wire != 0 || f.number > 2) return {};
      HPROF_ASSIGN((f.number == 1 ? type.type : type.unit), dictionary_.text(f.value));
      return {};
    }));
    return type;
  }

  // Profile: sample_type 1, samples 2, time_unix_nano 3, duration_nano 4, period_type 5, period 6.
  Result<void> add_type(Bytes profile) {
    ValueType type;
    HPROF_TRY(each_field(profile, "profile", [&](const ProtoField& f) -> Result<void> {
      if (f.number == 1 && f.wire == 2) {
        HPROF_ASSIGN(type, value_type(f.bytes));
      } else if (f.number == 3 && f.wire == 1) {
        const auto time = static_cast<std::int64_t>(ByteReader{f.bytes}.u64());
        std::int64_t& known = p_.header.time_nanos;
        if (time != 0 && (known == 0 || time < known)) known = time;
      } else if (f.number == 4 && f.wire == 0) {
        p_.header.duration_nanos =
            std::max(p_.header.duration_nanos, static_cast<std::int64_t>(f.value));
      } else if (f.number == 5 && f.wire == 2) {
        HPROF_ASSIGN(p_.header.period_type, value_type(f.bytes));
      } else if (f.number == 6 && f.wire == 0) {
        p_.header.period = static_cast<std::int64_t>(f.value);
      }
      return {};
    }));
    const auto key = std::pair{type.type, type.unit};
    if (!columns_.contains(key)) {
      columns_[key] = p_.add_sample_type(std::string{p_.string(type.type)},
                                         std::string{p_.string(type.unit)});
    }
    return {};
  }

  Result<void> add_profile(Bytes profile) {
    ValueType type;
    HPROF_TRY(each_field(profile, "profile", [&](const ProtoField& f) -> Result<void> {
      if (f.number == 1 && f.wire == 2) {
        HPROF_ASSIGN(type, value_type(f.bytes));
      }
      return {};
    }));
    const std::size_t column = columns_.at({type.type, type.unit});
    return each_field(profile, "profile", [&](const ProtoField& f) -> Result<void> {
      return f.number == 2 && f.wire == 2 ? add_sample(f.bytes, column) : Result<void>{};
    });
  }

  // Sample: stack_index 1, values 2, attribute_indices 3, link_index 4, timestamps_unix_nano 5.
  // Values alone, moments alone (each counts 1), or a value for each moment.
  Result<void> add_sample(Bytes sample, std::size_t column) {
    std::uint64_t stack_index = 0;
    std::vector<std::uint64_t> values;
    std::vector<std::uint64_t> attributes;
    std::uint64_t moments = 0;
    HPROF_TRY(each_field(sample, "sample", [&](const ProtoField& f) -> Result<void> {
      if (f.number == 1 && f.wire == 0) stack_index = f.value;
      if (f.number == 2) return numbers(f, values);
      if (f.number == 3) return numbers(f, attributes);
      if (f.number == 5) moments += f.wire == 1 ? 1 : f.bytes.size() / 8;
      return {};
    }));
    std::uint64_t sum = values.empty() ? moments : 0;
    for (const std::uint64_t value : values) sum += value;
    HPROF_ASSIGN(const StackId stack, dictionary_.stack(stack_index));
    std::vector<Label> labels = resource_labels_;
    for (const std::uint64_t index : attributes) {
      HPROF_TRY(dictionary_.attribute(index, labels));
    }
    std::vector<std::int64_t> row(p_.sample_types().size(), 0);
    row[column] = static_cast<std::int64_t>(sum);
    p_.accumulate(stack, p_.intern_labels(labels), row);
    return {};
  }

  static Result<void> numbers(const ProtoField& field, std::vector<std::uint64_t>& out) {
    if (field.wire == 0) {
      out.push_back(field.value);
      return {};
    }
    ProtoCursor list{field.bytes};
    std::uint64_t value = 0;
    while (!list.at_end() && list.varint(value)) out.push_back(value);
    return list.ok() ? Result<void>{} : Result<void>{malformed("broken list of numbers")};
  }

  Bytes message_;
  Bytes dictionary_bytes_;
  std::vector<Bytes> resources_;
  OtlpDictionary dictionary_;
  Profile p_;
  std::map<std::pair<StringId, StringId>, std::size_t> columns_;
  std::vector<Label> resource_labels_;
};

}  // namespace

// No magic: the message has two fields, both messages, and the first field of a ResourceProfiles is
// a message where that of pprof's sample type is a number; the dictionary has tables 4 to 7.
Sniff sniff_otlp(const SniffInput& input) {
  ProtoCursor outer{input.head};
  std::uint64_t tag = 0;
  std::uint64_t size = 0;
  if (!outer.varint(tag) || !outer.varint(size) || (tag != 0x0a && tag != 0x12)) return Sniff::no;
  const Bytes rest = input.head.subspan(outer.offset());
  ProtoCursor inner{rest.first(std::min<std::uint64_t>(size, rest.size()))};
  ProtoField field;
  bool has_high_table = false;
  bool any = false;
  while (inner.next(field)) {
    const std::uint32_t last = tag == 0x0a ? 3 : 7;
    if (field.wire != 2 || field.number > last) return Sniff::no;
    has_high_table |= field.number >= 4;
    any = true;
  }
  const bool fits = tag == 0x0a ? any : has_high_table;
  return fits ? Sniff::likely : Sniff::no;
}

Result<Profile> read_otlp(ByteSource& source, const ReadOptions& options) {
  constexpr std::uint64_t kMaxMessage = std::uint64_t{2} << 30;
  HPROF_ASSIGN(const std::vector<std::byte> raw,
               read_all(source, std::min(kMaxMessage, options.limits.max_bytes)));
  return Reader{raw}.run();
}

}  // namespace hprof::formats
