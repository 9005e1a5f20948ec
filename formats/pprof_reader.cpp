// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/pprof.h>

#include "id_map.h"
#include "pprof_schema.h"
#include "proto_in.h"
#include "proto_out.h"
#include "utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace hprof::formats {
namespace {

using namespace pprof;  // NOLINT(google-build-using-namespace): field numbers

Error malformed(std::string_view what) {
  return {ErrorKind::malformed_input, fmt::format("pprof: {}", what), {}};
}

// Wire types of the known top-level fields, by number; index 0 is unused.
constexpr std::array<std::uint32_t, 16> kProfileWire = {0, 2, 2, 2, 2, 2, 2, 0,
                                                        0, 0, 0, 2, 0, 0, 0, 0};

// A field whose content may be packed or not.
bool is_repeated_number(std::uint32_t wire) { return wire == kVarint || wire == kLengthDelimited; }

class Decoder {
 public:
  Decoder(Bytes raw, const ReadOptions& options) : raw_(raw), options_(options) {}

  Result<Profile> run() {
    if (raw_.empty()) return malformed("the input is empty");
    HPROF_TRY(collect());
    HPROF_TRY(strings());
    HPROF_TRY(header());
    for (const Bytes bytes : types_) HPROF_TRY(sample_type(bytes));
    HPROF_TRY(mappings());
    HPROF_TRY(functions());
    HPROF_TRY(locations());
    HPROF_TRY(samples());
    remarks();
    return std::move(p_);
  }

 private:
  // --- first walk: top-level fields only

  Result<void> collect() {
    ProtoCursor cursor{raw_};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number >= kProfileWire.size()) {
        p_.unknown.profile += as_text(field.whole);
        continue;
      }
      const bool list = field.number == kComment && is_repeated_number(field.wire);
      if (field.wire != kProfileWire[field.number] && !list) return wrong_wire("profile", field);
      HPROF_TRY(collect_field(field));
    }
    if (!cursor.ok()) {
      return malformed(fmt::format("broken or cut off at offset {:#x} of {:#x}", cursor.offset(),
                                   raw_.size()));
    }
    return {};
  }

  Result<void> collect_field(const ProtoField& field) {
    switch (field.number) {
      case kSampleType:
        if (types_ended_ && !texts_.empty()) return concatenated();
        types_.push_back(field.bytes);
        return {};
      case kSample:
        ++sample_count_;
        break;
      case kMapping:
        mappings_.push_back(field.bytes);
        break;
      case kLocation:
        locations_.push_back(field.bytes);
        break;
      case kFunction:
        functions_.push_back(field.bytes);
        break;
      case kStringTable:
        texts_.push_back(field.bytes);
        types_ended_ = !types_.empty();
        break;
      case kPeriodType:
        period_type_ = field.bytes;
        break;
      case kComment:
        return comment(field);
      case kTimeNanos:
        if (numbers_[kTimeNanos] != 0) return concatenated();
        numbers_[kTimeNanos] = field.value;
        break;
      default:
        numbers_[field.number] = field.value;
    }
    return {};
  }

  Result<void> comment(const ProtoField& field) {
    if (field.wire == kVarint) {
      comments_.push_back(field.value);
      return {};
    }
    ProtoCursor list{field.bytes};
    std::uint64_t value = 0;
    while (!list.at_end() && list.varint(value)) comments_.push_back(value);
    return list.ok() ? Result<void>{} : Result<void>{malformed("broken list of comments")};
  }

  static Error concatenated() {
    return {ErrorKind::malformed_input, "pprof: several profiles concatenated in one file",
            "split the file where they meet and give the parts as separate inputs"};
  }

  static Error wrong_wire(std::string_view message, const ProtoField& field) {
    return malformed(
        fmt::format("field {} of a {} has wire type {}", field.number, message, field.wire));
  }

  // --- strings and header

  Result<void> strings() {
    if (!texts_.empty() && !texts_[0].empty()) return malformed("string_table[0] is not empty");
    string_ids_.reserve(texts_.size());
    for (const Bytes text : texts_) string_ids_.push_back(p_.intern(as_text(text)));
    return {};
  }

  // False for an index outside the table.
  bool text(std::uint64_t index, StringId& id) {
    if (index < string_ids_.size()) {
      id = string_ids_[index];
      return true;
    }
    if (bad_index_ == 0) bad_index_ = index;
    return false;
  }

  Error bad_string(std::string_view where) const {
    return malformed(fmt::format("{}: string index {} of a table of {}", where,
                                 static_cast<std::int64_t>(bad_index_), string_ids_.size()));
  }

  Result<void> header() {
    ProfileHeader& h = p_.header;
    h.time_nanos = static_cast<std::int64_t>(numbers_[kTimeNanos]);
    h.duration_nanos = static_cast<std::int64_t>(numbers_[kDurationNanos]);
    h.period = static_cast<std::int64_t>(numbers_[kPeriod]);
    if (period_type_.data() != nullptr) HPROF_TRY(value_type(period_type_, h.period_type));
    const bool good = header_text(kDropFrames, h.drop_frames) &&
                      header_text(kKeepFrames, h.keep_frames) &&
                      header_text(kDefaultSampleType, h.default_sample_type) &&
                      header_text(kDocUrl, h.doc_url);
    if (!good) return bad_string("header");
    for (const std::uint64_t index : comments_) {
      StringId id = 0;
      if (!text(index, id)) return bad_string("comment");
      h.comments.push_back(id);
    }
    return {};
  }

  bool header_text(ProfileField field, StringId& id) {
    return numbers_[field] == 0 || text(numbers_[field], id);
  }

  Result<void> value_type(Bytes bytes, ValueType& out) {
    ProtoCursor cursor{bytes};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number > kTypeUnit) continue;
      if (field.wire != kVarint) return wrong_wire("value type", field);
      if (!text(field.value, field.number == kTypeType ? out.type : out.unit)) {
        return bad_string("value type");
      }
    }
    return cursor.ok() ? Result<void>{} : Result<void>{malformed("broken value type")};
  }

  Result<void> sample_type(Bytes bytes) {
    ValueType type;
    HPROF_TRY(value_type(bytes, type));
    p_.add_sample_type(p_.string(type.type), p_.string(type.unit));
    return {};
  }

  // --- tables

  // The number fields 1..count-1 of a message into `out`; what is beyond goes to `unknown`.
  template <std::size_t count>
  Result<void> number_fields(std::string_view name, Bytes bytes,
                             std::array<std::uint64_t, count>& out, std::string& unknown) {
    ProtoCursor cursor{bytes};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number >= count) {
        unknown += as_text(field.whole);
      } else if (field.wire != kVarint) {
        return wrong_wire(name, field);
      } else {
        out[field.number] = field.value;
      }
    }
    return cursor.ok() ? Result<void>{} : Result<void>{malformed(fmt::format("broken {}", name))};
  }

  Error taken(std::string_view name, std::size_t row, std::uint64_t id) const {
    if (id == 0) return malformed(fmt::format("{} {} has the reserved id 0", name, row));
    return malformed(fmt::format("{} {} repeats the id {}", name, row, id));
  }

  Result<void> mappings() {
    mapping_ids_ = IdMap{mappings_.size()};
    for (std::size_t row = 0; row < mappings_.size(); ++row) {
      std::array<std::uint64_t, kMappingHasInlineFrames + 1> f{};
      std::string unknown;
      HPROF_TRY(number_fields("mapping", mappings_[row], f, unknown));
      Mapping m{.start = f[kMappingStart],
                .limit = f[kMappingLimit],
                .file_offset = f[kMappingOffset],
                .has_functions = f[kMappingHasFunctions] != 0,
                .has_filenames = f[kMappingHasFilenames] != 0,
                .has_line_numbers = f[kMappingHasLineNumbers] != 0,
                .has_inline_frames = f[kMappingHasInlineFrames] != 0};
      if (!text(f[kMappingFilename], m.filename) || !text(f[kMappingBuildId], m.build_id)) {
        return bad_string("mapping");
      }
      const MappingId id = p_.add_mapping(m);
      if (!unknown.empty()) p_.unknown.mappings[id] = std::move(unknown);
      if (f[kMappingId] == 0 || !mapping_ids_.add(f[kMappingId], id)) {
        return taken("mapping", row, f[kMappingId]);
      }
    }
    return {};
  }

  Result<void> functions() {
    function_ids_ = IdMap{functions_.size()};
    for (std::size_t row = 0; row < functions_.size(); ++row) {
      std::array<std::uint64_t, kFunctionStartLine + 1> f{};
      std::string unknown;
      HPROF_TRY(number_fields("function", functions_[row], f, unknown));
      Function function{.start_line = static_cast<std::int64_t>(f[kFunctionStartLine])};
      if (!text(f[kFunctionName], function.name) ||
          !text(f[kFunctionSystemName], function.system_name) ||
          !text(f[kFunctionFilename], function.filename)) {
        return bad_string("function");
      }
      const FunctionId id = p_.intern_function(function);
      if (!unknown.empty()) p_.unknown.functions[id] = std::move(unknown);
      if (f[kFunctionId] == 0 || !function_ids_.add(f[kFunctionId], id)) {
        return taken("function", row, f[kFunctionId]);
      }
    }
    return {};
  }

  Result<void> locations() {
    location_ids_ = IdMap{locations_.size()};
    for (std::size_t row = 0; row < locations_.size(); ++row) {
      HPROF_TRY(location(row, locations_[row]));
    }
    return {};
  }

  Result<void> location(std::size_t row, Bytes bytes) {
    std::array<std::uint64_t, kLocationIsFolded + 1> f{};
    std::string unknown;
    lines_.clear();
    ProtoCursor cursor{bytes};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number > kLocationIsFolded) {
        unknown += as_text(field.whole);
      } else if (field.wire != (field.number == kLocationLine ? kLengthDelimited : kVarint)) {
        return wrong_wire("location", field);
      } else if (field.number == kLocationLine) {
        HPROF_TRY(line(row, field.bytes));
      } else {
        f[field.number] = field.value;
      }
    }
    if (!cursor.ok()) return malformed(fmt::format("broken location {}", row));
    const MappingId mapping = mapping_ids_[f[kLocationMapping]];
    if (mapping == 0 && f[kLocationMapping] != 0) ++lost_mappings_;
    const LocationId id =
        p_.intern_location(mapping, f[kLocationAddress], lines_, f[kLocationIsFolded] != 0);
    if (!unknown.empty()) p_.unknown.locations[id] = std::move(unknown);
    if (f[kLocationId] == 0 || !location_ids_.add(f[kLocationId], id)) {
      return taken("location", row, f[kLocationId]);
    }
    return {};
  }

  Result<void> line(std::size_t row, Bytes bytes) {
    std::array<std::uint64_t, kLineColumn + 1> f{};
    std::string unknown;
    HPROF_TRY(number_fields("line", bytes, f, unknown));
    const FunctionId function = function_ids_[f[kLineFunction]];
    if (function == 0) {
      return malformed(
          fmt::format("location {} names the unknown function {}", row, f[kLineFunction]));
    }
    lines_.push_back({.function = function,
                      .line = static_cast<std::int64_t>(f[kLineLine]),
                      .column = static_cast<std::int64_t>(f[kLineColumn])});
    return {};
  }

  // --- second walk: samples

  Result<void> samples() {
    if (sample_count_ == 0) return {};
    if (p_.sample_types().empty()) return malformed("samples without any sample type");
    ProtoCursor cursor{raw_};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number == kSample) HPROF_TRY(sample(field.bytes));
    }
    return {};
  }

  Error in_sample(std::string_view what) const {
    return malformed(fmt::format("sample {}: {}", p_.sample_count(), what));
  }

  Result<void> sample(Bytes bytes) {
    stack_.clear();
    values_.clear();
    labels_.clear();
    ProtoCursor cursor{bytes};
    ProtoField field;
    std::string unknown;
    while (cursor.next(field)) {
      if (field.number > kSampleLabel) {
        unknown += as_text(field.whole);
        continue;
      }
      HPROF_TRY(sample_field(field));
    }
    if (!cursor.ok()) return in_sample("broken");
    if (values_.size() != p_.sample_types().size()) {
      return in_sample(fmt::format("{} values for {} sample types", values_.size(),
                                   p_.sample_types().size()));
    }
    if (stack_.size() > options_.limits.max_frames) {
      return in_sample(fmt::format("{} frames, the limit is {}", stack_.size(),
                                   options_.limits.max_frames));
    }
    const std::uint32_t row = p_.add_sample(p_.intern_stack_leaf_first(stack_),
                                            p_.intern_labels(labels_), values_);
    if (!unknown.empty()) p_.unknown.samples[row] = std::move(unknown);
    return {};
  }

  Result<void> sample_field(const ProtoField& field) {
    if (field.number == kSampleLabel) {
      if (field.wire != kLengthDelimited) return wrong_wire("sample", field);
      return label(field.bytes);
    }
    if (!is_repeated_number(field.wire)) return wrong_wire("sample", field);
    if (field.wire == kVarint) return number(field.number, field.value);
    ProtoCursor list{field.bytes};
    std::uint64_t value = 0;
    if (field.number == kSampleLocation) {
      while (!list.at_end() && list.varint(value)) {
        const LocationId id = location_ids_[value];
        if (id == 0) return unknown_location(value);
        stack_.push_back(id);
      }
    } else {
      while (!list.at_end() && list.varint(value)) {
        values_.push_back(static_cast<std::int64_t>(value));
      }
    }
    return list.ok() ? Result<void>{} : Result<void>{in_sample("broken list of numbers")};
  }

  Result<void> number(std::uint32_t field, std::uint64_t value) {
    if (field == kSampleValue) {
      values_.push_back(static_cast<std::int64_t>(value));
      return {};
    }
    const LocationId id = location_ids_[value];
    if (id == 0) return unknown_location(value);
    stack_.push_back(id);
    return {};
  }

  Error unknown_location(std::uint64_t id) const {
    return in_sample(fmt::format("names the unknown location {}", id));
  }

  // Both kinds of value may be absent when they are 0; a bare key is then a number, the one that
  // proto3 writers cannot tell from absence.
  Result<void> label(Bytes bytes) {
    std::array<std::uint64_t, kLabelUnit + 1> f{};
    bool has_str = false;
    bool has_num = false;
    ProtoCursor cursor{bytes};
    ProtoField field;
    while (cursor.next(field)) {
      if (field.number > kLabelUnit) continue;
      if (field.wire != kVarint) return wrong_wire("label", field);
      f[field.number] = field.value;
      has_str |= field.number == kLabelStr;
      has_num |= field.number == kLabelNum;
    }
    if (!cursor.ok()) return in_sample("broken label");
    Label label{.number = static_cast<std::int64_t>(f[kLabelNum])};
    if (!text(f[kLabelKey], label.key) || !text(f[kLabelStr], label.text) ||
        !text(f[kLabelUnit], label.unit)) {
      return bad_string("label");
    }
    label.is_number = f[kLabelStr] == 0 && (has_num || !has_str || f[kLabelUnit] != 0);
    labels_.push_back(label);
    return {};
  }

  void remarks() const {
    if (options_.notes == nullptr) return;
    if (lost_mappings_ != 0) {
      options_.notes->push_back(
          fmt::format("pprof: {} locations name a mapping that is not there", lost_mappings_));
    }
  }

  Bytes raw_;
  const ReadOptions& options_;
  Profile p_;

  std::vector<Bytes> types_;
  std::vector<Bytes> mappings_;
  std::vector<Bytes> locations_;
  std::vector<Bytes> functions_;
  std::vector<Bytes> texts_;
  std::vector<std::uint64_t> comments_;
  std::array<std::uint64_t, 16> numbers_{};
  Bytes period_type_;
  bool types_ended_ = false;
  std::uint64_t sample_count_ = 0;

  std::vector<StringId> string_ids_;
  std::uint64_t bad_index_ = 0;
  IdMap mapping_ids_;
  IdMap function_ids_;
  IdMap location_ids_;
  std::uint64_t lost_mappings_ = 0;

  std::vector<Line> lines_;
  std::vector<LocationId> stack_;
  std::vector<std::int64_t> values_;
  std::vector<Label> labels_;
};

}  // namespace

Result<Profile> decode_pprof(Bytes raw, const ReadOptions& options) {
  return Decoder{raw, options}.run();
}

Result<Profile> read_pprof(ByteSource& source, const ReadOptions& options) {
  if (const Bytes whole = source.rest(); !whole.empty()) return decode_pprof(whole, options);
  // Longer messages are beyond what protobuf itself allows.
  constexpr std::uint64_t kMaxMessage = std::uint64_t{2} << 30;
  HPROF_ASSIGN(const std::vector<std::byte> raw,
               read_all(source, std::min(kMaxMessage, options.limits.max_bytes)));
  return decode_pprof(raw, options);
}

namespace {

// A value type, unlike the first message of other formats, has no messages inside.
bool has_numbers_only(Bytes message) {
  ProtoCursor cursor{message};
  ProtoField field;
  while (cursor.next(field)) {
    if (field.wire != kVarint) return false;
  }
  return cursor.ok();
}

}  // namespace

// A whole profile is `likely`, a head of one `possible` at least: every complete field must fit.
Sniff sniff_pprof(const SniffInput& input) {
  ProtoCursor cursor{input.head};
  ProtoField field;
  std::uint32_t seen = 0;
  while (cursor.next(field)) {
    if (field.number >= kProfileWire.size()) return Sniff::no;
    const bool list = field.number == kComment && is_repeated_number(field.wire);
    if (field.wire != kProfileWire[field.number] && !list) return Sniff::no;
    if (field.number == kSampleType && !has_numbers_only(field.bytes)) return Sniff::no;
    seen |= 1U << field.number;
  }
  const bool cut_only = cursor.ok() || (!input.whole && cursor.offset() < input.head.size());
  const bool has_types = (seen & (1U << kSampleType)) != 0;
  const bool has_texts = (seen & (1U << kStringTable)) != 0;
  if (!cut_only || seen == 0) return Sniff::no;
  return has_types || has_texts ? Sniff::likely : Sniff::possible;
}

}  // namespace hprof::formats
