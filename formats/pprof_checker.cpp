// SPDX-License-Identifier: Apache-2.0
#include "pprof_checker.h"

#include "pprof_schema.h"
#include "proto_out.h"

#include <fmt/format.h>

namespace hprof::formats {
namespace {

using namespace pprof;  // NOLINT(google-build-using-namespace): field numbers

Error malformed(std::string_view what) {
  return {ErrorKind::malformed_input, fmt::format("pprof: {}", what), {}};
}

Error concatenated() {
  return {ErrorKind::malformed_input, "pprof: several profiles concatenated in one file",
          "split the file where they meet and give the parts as separate inputs"};
}

Result<void> expect(const ProtoField& field, std::uint32_t wire, std::string_view message) {
  if (field.wire == wire) return {};
  return malformed(fmt::format("field {} of a {} has wire type {}", field.number, message,
                               field.wire));
}

constexpr std::uint32_t bit(std::uint32_t field) { return 1U << field; }

// No field of a profile that is worth keeping is longer; a length beyond is a lie or an attack.
constexpr std::size_t kMaxField = std::size_t{1} << 30;

}  // namespace

Result<void> PprofChecker::feed(Bytes piece) {
  if (held_.empty()) {
    HPROF_ASSIGN(const std::size_t used, walk(piece, true));
    const Bytes rest = piece.subspan(used);
    held_.assign(rest.begin(), rest.end());
    return {};
  }
  held_.insert(held_.end(), piece.begin(), piece.end());
  if (held_.size() > kMaxField) return malformed("a field of more than 1 GiB");
  HPROF_ASSIGN(const std::size_t used, walk(held_, true));
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(used));
  return {};
}

Result<std::size_t> PprofChecker::walk(Bytes bytes, bool more_may_come) {
  ProtoCursor cursor{bytes};
  ProtoField found;
  while (cursor.next(found)) HPROF_TRY(field(found));
  if (!cursor.ok() && !more_may_come) {
    return malformed(fmt::format("broken or cut off at offset {:#x}", offset_ + cursor.offset()));
  }
  offset_ += cursor.offset();
  return cursor.offset();
}

Result<std::uint64_t> PprofChecker::finish() {
  HPROF_ASSIGN(const std::size_t left, walk(Bytes{held_}, false));
  static_cast<void>(left);
  if (offset_ == 0) return malformed("the input is empty");
  if ((uses_texts_ || texts_ != 0) && last_text_ >= texts_) {
    return malformed(fmt::format("string index {} of a table of {}",
                                 static_cast<std::int64_t>(last_text_), texts_));
  }
  if (samples_ != 0 && types_ == 0) return malformed("samples without any sample type");
  if (samples_ != 0 && values_ != types_) {
    return malformed(fmt::format("samples with {} values for {} sample types", values_, types_));
  }
  if (const auto id = used_locations_.missing_in(locations_)) {
    return malformed(fmt::format("a sample names the unknown location {}", *id));
  }
  if (const auto id = used_functions_.missing_in(functions_)) {
    return malformed(fmt::format("a location names the unknown function {}", *id));
  }
  return samples_;
}

Result<void> PprofChecker::field(const ProtoField& f) {
  if (f.number > kDocUrl) return {};
  switch (f.number) {
    case kSampleType:
    case kSample:
    case kMapping:
    case kLocation:
    case kFunction:
    case kStringTable:
    case kPeriodType:
      HPROF_TRY(expect(f, kLengthDelimited, "profile"));
      break;
    case kComment:
      return comments(f);
    default:
      return number(f);
  }
  switch (f.number) {
    case kSample:
      return sample(f.bytes);
    case kSampleType:
      if (types_ended_) return concatenated();
      ++types_;
      return texts(f.bytes, bit(kTypeType) | bit(kTypeUnit), kTypeUnit);
    case kPeriodType:
      return texts(f.bytes, bit(kTypeType) | bit(kTypeUnit), kTypeUnit);
    case kMapping:
      return table_row(f.bytes, mappings_, "mapping", bit(kMappingFilename) | bit(kMappingBuildId),
                       kMappingHasInlineFrames);
    case kFunction:
      return table_row(f.bytes, functions_, "function",
                       bit(kFunctionName) | bit(kFunctionSystemName) | bit(kFunctionFilename),
                       kFunctionStartLine);
    case kLocation:
      return location(f.bytes);
    default:
      if (texts_++ == 0 && !f.bytes.empty()) return malformed("string_table[0] is not empty");
      types_ended_ = types_ != 0;
      return {};
  }
}

Result<void> PprofChecker::number(const ProtoField& f) {
  HPROF_TRY(expect(f, kVarint, "profile"));
  if (f.number == kTimeNanos) {
    if (time_nanos_ != 0) return concatenated();
    time_nanos_ = static_cast<std::int64_t>(f.value);
  }
  const bool is_text = f.number == kDropFrames || f.number == kKeepFrames ||
                       f.number == kDefaultSampleType || f.number == kDocUrl;
  if (is_text) see_text(f.value);
  return {};
}

Result<void> PprofChecker::comments(const ProtoField& f) {
  uses_texts_ = true;
  if (f.wire == kVarint) {
    see_text(f.value);
    return {};
  }
  HPROF_TRY(expect(f, kLengthDelimited, "profile"));
  ProtoCursor list{f.bytes};
  std::uint64_t value = 0;
  while (!list.at_end() && list.varint(value)) see_text(value);
  return list.ok() ? Result<void>{} : Result<void>{malformed("broken list of comments")};
}

// A message of numbers, of which `text_fields` are string indexes.
Result<void> PprofChecker::texts(Bytes message, std::uint32_t text_fields,
                                 std::uint32_t last_field) {
  uses_texts_ = true;
  ProtoCursor cursor{message};
  ProtoField f;
  while (cursor.next(f)) {
    if (f.number > last_field) continue;
    HPROF_TRY(expect(f, kVarint, "message"));
    if ((text_fields & bit(f.number)) != 0) see_text(f.value);
  }
  return cursor.ok() ? Result<void>{} : Result<void>{malformed("broken message")};
}

bool PprofChecker::sample_numbers(const ProtoField& f, std::uint64_t& values) {
  if (f.wire == kVarint) {
    f.number == kSampleValue ? static_cast<void>(++values)
                             : static_cast<void>(used_locations_.insert(f.value));
    return true;
  }
  ProtoCursor list{f.bytes};
  std::uint64_t value = 0;
  if (f.number == kSampleValue) {
    while (!list.at_end() && list.varint(value)) ++values;
  } else {
    while (!list.at_end() && list.varint(value)) used_locations_.insert(value);
  }
  return f.wire == kLengthDelimited && list.ok();
}

Result<void> PprofChecker::sample(Bytes message) {
  ProtoCursor cursor{message};
  ProtoField f;
  std::uint64_t values = 0;
  while (cursor.next(f)) {
    if (f.number > kSampleLabel) continue;
    if (f.number == kSampleLabel) {
      HPROF_TRY(expect(f, kLengthDelimited, "sample"));
      HPROF_TRY(texts(f.bytes, bit(kLabelKey) | bit(kLabelStr) | bit(kLabelUnit), kLabelUnit));
    } else if (!sample_numbers(f, values)) {
      return malformed(fmt::format("sample {}: broken list of numbers", samples_));
    }
  }
  if (!cursor.ok()) return malformed(fmt::format("sample {}: broken", samples_));
  if (samples_++ == 0) values_ = values;
  if (values != values_) {
    return malformed(fmt::format("sample {}: {} values, the first has {}", samples_ - 1, values,
                                 values_));
  }
  return {};
}

Result<void> PprofChecker::table_row(Bytes message, IdSet& ids, const char* name,
                                     std::uint32_t text_fields, std::uint32_t last_field) {
  HPROF_TRY(texts(message, text_fields, last_field));
  ProtoCursor cursor{message};
  ProtoField f;
  std::uint64_t id = 0;
  while (cursor.next(f)) {
    if (f.number == 1) id = f.value;
  }
  if (id == 0) return malformed(fmt::format("a {} has the reserved id 0", name));
  if (!ids.insert(id)) return malformed(fmt::format("two {}s have the id {}", name, id));
  return {};
}

Result<void> PprofChecker::location(Bytes message) {
  ProtoCursor cursor{message};
  ProtoField f;
  std::uint64_t id = 0;
  while (cursor.next(f)) {
    if (f.number > kLocationIsFolded) continue;
    HPROF_TRY(expect(f, f.number == kLocationLine ? kLengthDelimited : kVarint, "location"));
    if (f.number == kLocationLine) HPROF_TRY(line(f.bytes));
    if (f.number == kLocationId) id = f.value;
  }
  if (!cursor.ok()) return malformed("broken location");
  if (id == 0) return malformed("a location has the reserved id 0");
  if (!locations_.insert(id)) return malformed(fmt::format("two locations have the id {}", id));
  return {};
}

Result<void> PprofChecker::line(Bytes message) {
  ProtoCursor cursor{message};
  ProtoField f;
  std::uint64_t function = 0;
  while (cursor.next(f)) {
    if (f.number > kLineColumn) continue;
    HPROF_TRY(expect(f, kVarint, "line"));
    if (f.number == kLineFunction) function = f.value;
  }
  if (!cursor.ok()) return malformed("broken line");
  used_functions_.insert(function);
  return {};
}

}  // namespace hprof::formats
