// SPDX-License-Identifier: Apache-2.0
#include "speedscope_writer.h"

#include "frame_table.h"
#include "json_text.h"
#include "losses.h"
#include "stack_totals.h"
#include "text_output.h"
#include "thread_table.h"

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

std::string_view speedscope_unit(std::string_view unit) {
  constexpr std::array<std::string_view, 5> kKnown{"nanoseconds", "microseconds", "milliseconds",
                                                   "seconds", "bytes"};
  return std::ranges::find(kKnown, unit) != kKnown.end() ? unit : "none";
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile),
        options_(options),
        frames_(profile, options.short_names),
        threads_(profile),
        out_(sink) {}

  Result<void> write() {
    const std::size_t thread_count = std::max<std::size_t>(1, threads_.threads().size());
    out_.put("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
    out_.put("\"exporter\":\"hprof\",\"name\":");
    put_json(out_, options_.title.empty() ? std::string_view{"hprof"} : options_.title);
    out_.format(",\"activeProfileIndex\":{},\"shared\":{{\"frames\":[",
                options_.sample_type * thread_count);
    for (std::size_t i = 0; i < frames_.frames().size(); ++i) put_frame(i);
    out_.put("\n]},\"profiles\":[");
    for (std::size_t type = 0; type < profile_.sample_types().size(); ++type) {
      for (std::size_t thread = 0; thread < thread_count; ++thread) {
        out_.put(type + thread == 0 ? "\n" : ",\n");
        put_profile(type, static_cast<std::uint32_t>(thread));
      }
    }
    out_.put("\n]}\n");
    return out_.finish();
  }

 private:
  void put_frame(std::size_t index) {
    const Frame& frame = frames_.frames()[index];
    out_.put(index == 0 ? "\n{\"name\":" : ",\n{\"name\":");
    put_json(out_, frame.name);
    if (!frame.file.empty()) {
      out_.put(",\"file\":");
      put_json(out_, frame.file);
    }
    if (frame.line > 0) out_.format(",\"line\":{}", frame.line);
    if (frame.column > 0) out_.format(",\"col\":{}", frame.column);
    out_.put('}');
  }

  void put_profile(std::size_t type, std::uint32_t thread) {
    const ValueType& value_type = profile_.sample_types()[type];
    std::vector<std::uint32_t> rows;
    std::int64_t total = 0;
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      if (profile_.value(type, row) == 0) continue;
      if (threads_.thread_of(profile_.sample_labels(row)) != thread) continue;
      rows.push_back(row);
      total = wrapping_add(total, profile_.value(type, row));
    }
    std::string name{profile_.string(value_type.type)};
    if (threads_.threads().size() > 1) name += ", " + threads_.threads()[thread].title();
    out_.put("{\"type\":\"sampled\",\"name\":");
    put_json(out_, name);
    out_.format(",\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\"samples\":[",
                speedscope_unit(profile_.string(value_type.unit)), total);
    for (std::size_t i = 0; i < rows.size(); ++i) put_stack(rows[i], i == 0);
    out_.put("],\"weights\":[");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i != 0) out_.put(',');
      out_.number(profile_.value(type, rows[i]));
    }
    out_.put("]}");
  }

  void put_stack(std::uint32_t row, bool first) {
    out_.put(first ? "[" : ",[");
    profile_.stack_leaf_first(profile_.sample_stack(row), stack_);
    bool separate = false;
    for (std::size_t i = stack_.size(); i-- > 0;) {
      for (const std::uint32_t frame : frames_.of(stack_[i])) {
        if (separate) out_.put(',');
        separate = true;
        out_.number(frame);
      }
    }
    out_.put(']');
  }

  const Profile& profile_;
  const WriteOptions& options_;
  FrameTable frames_;
  ThreadTable threads_;
  TextOutput out_;
  std::vector<LocationId> stack_;
};

}  // namespace

Result<void> write_speedscope(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  HPROF_TRY(refuse_negative(profile, options, "speedscope", true));
  note_losses(profile, options, "speedscope", {.all_columns = true, .lines = true});
  return SpeedscopeWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
