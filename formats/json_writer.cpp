// SPDX-License-Identifier: Apache-2.0
#include "frame_table.h"
#include "json_text.h"
#include "table_writers.h"
#include "text_output.h"

namespace hprof::formats {
namespace {

class JsonWriter {
 public:
  JsonWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile), frames_(profile, options.short_names), out_(sink) {}

  Result<void> write() {
    put_header();
    put_mappings();
    put_frames();
    put_samples();
    out_.put("\n]}\n");
    return out_.finish();
  }

 private:
  std::string_view text(StringId id) const { return profile_.string(id); }
  void put_text(std::string_view key, StringId id) {
    out_.format("\"{}\":", key);
    put_json(out_, text(id));
  }
  void put_type(const ValueType& type) {
    out_.put('{');
    put_text("type", type.type);
    out_.put(',');
    put_text("unit", type.unit);
    out_.put('}');
  }

  void put_header() {
    const ProfileHeader& header = profile_.header;
    out_.format("{{\"format\":\"hprof-json\",\"version\":1,\"time_nanos\":{},\"duration_nanos\":{},",
                header.time_nanos, header.duration_nanos);
    out_.put("\"period_type\":");
    put_type(header.period_type);
    out_.format(",\"period\":{},", header.period);
    put_text("default_sample_type", header.default_sample_type);
    out_.put(",\"comments\":[");
    for (std::size_t i = 0; i < header.comments.size(); ++i) {
      if (i != 0) out_.put(',');
      put_json(out_, text(header.comments[i]));
    }
    out_.put("],\"sample_types\":[");
    for (std::size_t i = 0; i < profile_.sample_types().size(); ++i) {
      if (i != 0) out_.put(',');
      put_type(profile_.sample_types()[i]);
    }
    out_.put("],\n");
  }

  void put_mappings() {
    out_.put("\"mappings\":[");
    for (MappingId id = 1; id <= profile_.mapping_count(); ++id) {
      const Mapping& mapping = profile_.mapping(id);
      out_.put(id == 1 ? "\n{" : ",\n{");
      put_text("file", mapping.filename);
      out_.put(',');
      put_text("build_id", mapping.build_id);
      out_.format(",\"start\":\"{:#x}\",\"limit\":\"{:#x}\",\"offset\":\"{:#x}\"}}", mapping.start,
                  mapping.limit, mapping.file_offset);
    }
    out_.put("],\n");
  }

  void put_frames() {
    out_.put("\"frames\":[");
    for (std::size_t i = 0; i < frames_.frames().size(); ++i) {
      const Frame& frame = frames_.frames()[i];
      out_.put(i == 0 ? "\n{\"name\":" : ",\n{\"name\":");
      put_json(out_, frame.name);
      if (!frame.file.empty()) {
        out_.put(",\"file\":");
        put_json(out_, frame.file);
      }
      if (frame.line != 0) out_.format(",\"line\":{}", frame.line);
      if (frame.column != 0) out_.format(",\"column\":{}", frame.column);
      const MappingId mapping = profile_.location(frame.location).mapping;
      if (mapping != 0) out_.format(",\"mapping\":{}", mapping - 1);
      out_.put('}');
    }
    out_.put("],\n\"samples\":[");
  }

  void put_samples() {
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      out_.put(row == 0 ? "\n{\"stack\":[" : ",\n{\"stack\":[");
      put_stack(profile_.sample_stack(row));
      out_.put("],\"values\":[");
      for (std::size_t i = 0; i < profile_.sample_types().size(); ++i) {
        if (i != 0) out_.put(',');
        out_.number(profile_.value(i, row));
      }
      out_.put(']');
      put_labels(profile_.labels(profile_.sample_labels(row)));
      out_.put('}');
    }
  }

  void put_stack(StackId stack) {
    profile_.stack_leaf_first(stack, locations_);
    bool separate = false;
    for (std::size_t i = locations_.size(); i-- > 0;) {
      for (const std::uint32_t frame : frames_.of(locations_[i])) {
        if (separate) out_.put(',');
        separate = true;
        out_.number(frame);
      }
    }
  }

  void put_labels(std::span<const Label> labels) {
    if (labels.empty()) return;
    out_.put(",\"labels\":[");
    for (std::size_t i = 0; i < labels.size(); ++i) {
      out_.put(i == 0 ? "{" : ",{");
      put_text("key", labels[i].key);
      if (labels[i].is_number) {
        out_.format(",\"number\":{},", labels[i].number);
        put_text("unit", labels[i].unit);
      } else {
        out_.put(',');
        put_text("text", labels[i].text);
      }
      out_.put('}');
    }
    out_.put(']');
  }

  const Profile& profile_;
  FrameTable frames_;
  TextOutput out_;
  std::vector<LocationId> locations_;
};

}  // namespace

Result<void> write_json(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  return JsonWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
