// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/pprof.h>

#include "gzip_sink.h"
#include "pprof_schema.h"
#include "proto_out.h"
#include "sink_stream.h"
#include "utf8.h"

#include <google/protobuf/io/coded_stream.h>

#include <map>
#include <vector>

namespace hprof::formats {
namespace {

using namespace pprof;  // NOLINT(google-build-using-namespace): field numbers

// Strings in the order of first use; unused ones get no number.
class StringNumbers {
 public:
  explicit StringNumbers(const Profile& profile) : number_(profile.strings().size(), 0) {
    order_.push_back(0);
  }
  std::uint64_t operator()(StringId id) {
    if (id == 0) return 0;
    std::uint32_t& number = number_[id];
    if (number == 0) {
      number = static_cast<std::uint32_t>(order_.size());
      order_.push_back(id);
    }
    return number;
  }
  [[nodiscard]] const std::vector<StringId>& order() const { return order_; }

 private:
  std::vector<std::uint32_t> number_;
  std::vector<StringId> order_;
};

class Encoder {
 public:
  Encoder(const Profile& profile, google::protobuf::io::CodedOutputStream& coded)
      : p_(profile), out_(coded), text_(profile) {}

  Result<void> run() {
    for (const ValueType& type : p_.sample_types()) value_type(kSampleType, type);
    mark_and_number();
    for (std::uint32_t row = 0; row < p_.sample_count(); ++row) sample(row);
    for (MappingId id = 1; id <= p_.mapping_count(); ++id) mapping(id);
    for (LocationId id = 1; id <= p_.location_count(); ++id) {
      if (location_number_[id] != 0) location(id);
    }
    for (FunctionId id = 1; id <= p_.function_count(); ++id) {
      if (function_used_[id]) function(id);
    }
    header();
    strings();
    out_.raw(p_.unknown.profile);
    return {};
  }

 private:
  template <typename Key>
  static std::string_view unknown_of(const std::map<Key, std::string>& fields, Key key) {
    if (fields.empty()) return {};
    const auto found = fields.find(key);
    return found == fields.end() ? std::string_view{} : std::string_view{found->second};
  }

  void value_type(std::uint32_t field, const ValueType& type) {
    put_message(out_, field, [&](auto& out) {
      out.number(kTypeType, text_(type.type));
      out.number(kTypeUnit, text_(type.unit));
    });
  }

  // Locations keep their ids where all are used, which keeps files comparable.
  void mark_and_number() {
    std::vector<bool> on_stack(p_.stack_count() + std::size_t{1}, false);
    location_number_.assign(p_.location_count() + std::size_t{1}, 0);
    for (std::uint32_t row = 0; row < p_.sample_count(); ++row) {
      for (StackId id = p_.sample_stack(row); id != 0 && !on_stack[id]; id = p_.stack(id).parent) {
        on_stack[id] = true;
        location_number_[p_.stack(id).location] = 1;
      }
    }
    function_used_.assign(p_.function_count() + std::size_t{1}, false);
    std::uint32_t next = 1;
    for (LocationId id = 1; id <= p_.location_count(); ++id) {
      if (location_number_[id] == 0) continue;
      location_number_[id] = next++;
      for (const Line& line : p_.lines(id)) function_used_[line.function] = true;
    }
  }

  void sample(std::uint32_t row) {
    stack_.clear();
    std::size_t locations = 0;
    for (StackId id = p_.sample_stack(row); id != 0; id = p_.stack(id).parent) {
      const std::uint32_t number = location_number_[p_.stack(id).location];
      stack_.push_back(number);
      locations += varint_size(number);
    }
    std::size_t values = 0;
    for (std::size_t type = 0; type < p_.sample_types().size(); ++type) {
      values += varint_size(static_cast<std::uint64_t>(p_.value(type, row)));
    }
    put_message(out_, kSample, [&](auto& out) { sample_body(out, row, locations, values); });
  }

  template <typename Out>
  void sample_body(Out& out, std::uint32_t row, std::size_t locations, std::size_t values) {
    if (locations != 0) {
      out.header(kSampleLocation, locations);
      if constexpr (std::is_same_v<Out, ProtoSize>) {
        out.skip(locations);
      } else {
        for (const std::uint32_t number : stack_) out.varint(number);
      }
    }
    if (values != 0) {
      out.header(kSampleValue, values);
      for (std::size_t type = 0; type < p_.sample_types().size(); ++type) {
        out.varint(static_cast<std::uint64_t>(p_.value(type, row)));
      }
    }
    for (const Label& label : p_.labels(p_.sample_labels(row))) {
      put_message(out, kSampleLabel, [&](auto& inner) { label_body(inner, label); });
    }
    out.raw(unknown_of(p_.unknown.samples, row));
  }

  // An empty text and a zero number are written although they are defaults: without them a label
  // does not say which of the two it is.
  template <typename Out>
  void label_body(Out& out, const Label& label) {
    out.number(kLabelKey, text_(label.key));
    if (label.is_number) {
      out.number(kLabelStr, text_(label.text));
      out.always(kLabelNum, static_cast<std::uint64_t>(label.number));
    } else {
      out.always(kLabelStr, text_(label.text));
      out.signed_number(kLabelNum, label.number);
    }
    out.number(kLabelUnit, text_(label.unit));
  }

  void mapping(MappingId id) {
    const Mapping& m = p_.mapping(id);
    put_message(out_, kMapping, [&](auto& out) {
      out.number(kMappingId, id);
      out.number(kMappingStart, m.start);
      out.number(kMappingLimit, m.limit);
      out.number(kMappingOffset, m.file_offset);
      out.number(kMappingFilename, text_(m.filename));
      out.number(kMappingBuildId, text_(m.build_id));
      out.number(kMappingHasFunctions, m.has_functions ? 1 : 0);
      out.number(kMappingHasFilenames, m.has_filenames ? 1 : 0);
      out.number(kMappingHasLineNumbers, m.has_line_numbers ? 1 : 0);
      out.number(kMappingHasInlineFrames, m.has_inline_frames ? 1 : 0);
      out.raw(unknown_of(p_.unknown.mappings, id));
    });
  }

  void location(LocationId id) {
    const Location& l = p_.location(id);
    put_message(out_, kLocation, [&](auto& out) {
      out.number(kLocationId, location_number_[id]);
      out.number(kLocationMapping, l.mapping);
      out.number(kLocationAddress, l.address);
      for (const Line& line : p_.lines(id)) {
        put_message(out, kLocationLine, [&](auto& inner) {
          inner.number(kLineFunction, line.function);
          inner.signed_number(kLineLine, line.line);
          inner.signed_number(kLineColumn, line.column);
        });
      }
      out.number(kLocationIsFolded, l.is_folded ? 1 : 0);
      out.raw(unknown_of(p_.unknown.locations, id));
    });
  }

  void function(FunctionId id) {
    const Function& f = p_.function(id);
    put_message(out_, kFunction, [&](auto& out) {
      out.number(kFunctionId, id);
      out.number(kFunctionName, text_(f.name));
      out.number(kFunctionSystemName, text_(f.system_name));
      out.number(kFunctionFilename, text_(f.filename));
      out.signed_number(kFunctionStartLine, f.start_line);
      out.raw(unknown_of(p_.unknown.functions, id));
    });
  }

  void header() {
    const ProfileHeader& h = p_.header;
    out_.number(kDropFrames, text_(h.drop_frames));
    out_.number(kKeepFrames, text_(h.keep_frames));
    out_.signed_number(kTimeNanos, h.time_nanos);
    out_.signed_number(kDurationNanos, h.duration_nanos);
    if (h.period_type != ValueType{}) value_type(kPeriodType, h.period_type);
    out_.signed_number(kPeriod, h.period);
    for (const StringId comment : h.comments) out_.always(kComment, text_(comment));
    out_.number(kDefaultSampleType, text_(h.default_sample_type));
    out_.number(kDocUrl, text_(h.doc_url));
  }

  // proto3 strings are UTF-8: protobuf's C++ and Rust readers refuse a file with any other byte.
  void strings() {
    for (const StringId id : text_.order()) {
      const std::string_view text = p_.string(id);
      if (is_utf8(text)) {
        out_.header(kStringTable, text.size());
        out_.raw(text);
      } else {
        const std::string fixed = to_utf8(text);
        out_.header(kStringTable, fixed.size());
        out_.raw(fixed);
      }
    }
  }

  const Profile& p_;
  ProtoOut out_;
  StringNumbers text_;
  std::vector<std::uint32_t> location_number_;
  std::vector<bool> function_used_;
  std::vector<std::uint32_t> stack_;
};

Result<void> write_raw(const Profile& profile, ByteSink& sink) {
  SinkStream stream{sink};
  {
    google::protobuf::io::CodedOutputStream coded{&stream};
    Encoder encoder{profile, coded};
    HPROF_TRY(encoder.run());
  }
  return stream.flush();
}

}  // namespace

Result<void> write_pprof(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  if (options.gzip_level == 0) return write_raw(profile, sink);
  GzipSink gzip{sink, options.gzip_level};
  HPROF_TRY(write_raw(profile, gzip));
  return gzip.finish();
}

}  // namespace hprof::formats
