// SPDX-License-Identifier: Apache-2.0
#include "firefox_writer.h"

#include "frame_table.h"
#include "json_text.h"
#include "losses.h"
#include "text_output.h"
#include "thread_table.h"
#include "units.h"

#include <map>

namespace hprof::formats {
namespace {

// Strings, and the functions and resources (modules) that frames refer to, numbered once for all
// threads: each thread holds a copy, as version 48 wants.
class Tables {
 public:
  Tables(const Profile& profile, const FrameTable& frames) {
    for (const Frame& frame : frames.frames()) {
      const MappingId mapping = profile.location(frame.location).mapping;
      const std::string_view path = profile.string(profile.mapping(mapping).filename);
      const std::int64_t library = mapping == 0 || path.empty() ? -1 : intern(libraries, path);
      const std::int64_t file = frame.file.empty() ? -1 : intern(strings, frame.file);
      const Func func{intern(strings, frame.name), file, library};
      const auto [at, is_new] = func_ids_.try_emplace({func.name, func.file, func.library},
                                                      static_cast<std::int64_t>(funcs.size()));
      if (is_new) funcs.push_back(func);
      frame_func.push_back(at->second);
    }
    for (const std::string& library : libraries.texts) {
      library_name.push_back(intern(strings, library.substr(library.rfind('/') + 1)));
    }
  }

  struct Interned {
    std::vector<std::string> texts;
    std::map<std::string, std::int64_t, std::less<>> ids;
  };
  struct Func {
    std::int64_t name;
    std::int64_t file;
    std::int64_t library;
  };

  Interned strings;
  Interned libraries;
  std::vector<std::int64_t> library_name;
  std::vector<Func> funcs;
  std::vector<std::int64_t> frame_func;

 private:
  static std::int64_t intern(Interned& table, std::string_view text) {
    const auto [at, is_new] =
        table.ids.try_emplace(std::string{text}, static_cast<std::int64_t>(table.texts.size()));
    if (is_new) table.texts.emplace_back(text);
    return at->second;
  }

  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> func_ids_;
};

class FirefoxWriter {
 public:
  FirefoxWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile),
        options_(options),
        frames_(profile, options.short_names),
        trie_(profile, frames_),
        threads_(profile),
        tables_(profile, frames_),
        out_(sink) {
    if (options.sample_type < profile.sample_types().size()) {
      unit_ = profile.string(profile.sample_types()[options.sample_type].unit);
    }
    is_time_ = scale(1, unit_, "ms").unit == "ms";
    is_bytes_ = scale(1, unit_, "B").unit == "B";
  }

  Result<void> write() {
    put_meta();
    put_libraries();
    out_.put(",\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\"threads\":[");
    for (std::uint32_t i = 0; i < threads_.threads().size(); ++i) {
      if (i != 0) out_.put(',');
      put_thread(i);
    }
    out_.put("]}\n");
    return out_.finish();
  }

 private:
  // `"name":[f(0),f(1),…]` for a column.
  template <typename Put>
  void column(std::string_view name, std::size_t count, const Put& put) {
    out_.format("\"{}\":[", name);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out_.put(',');
      put(i);
    }
    out_.put("],");
  }
  void constant(std::string_view name, std::size_t count, std::string_view value) {
    column(name, count, [&](std::size_t) { out_.put(value); });
  }
  void number_or_null(std::int64_t value, bool is_null) {
    if (is_null) out_.put("null");
    else out_.number(value);
  }

  void put_meta() {
    const double start_ms = static_cast<double>(profile_.header.time_nanos) / 1e6;
    out_.put("{\"meta\":{\"product\":");
    put_json(out_, options_.title.empty() ? std::string_view{"hprof"} : options_.title);
    out_.format(
        ",\"version\":27,\"preprocessedProfileVersion\":48,\"interval\":{},\"startTime\":{},"
        "\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
        "\"usesOnlyOneStackType\":true,\"doesNotUseFrameImplementation\":true,"
        "\"sourceCodeIsNotOnSearchfox\":true,\"markerSchema\":[],"
        "\"extensions\":{{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0}},"
        "\"sampleUnits\":{{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"}},"
        "\"categories\":[{{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}},"
        "{{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]}},"
        "{{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}}]}}",
        interval_ms(), start_ms);
  }

  [[nodiscard]] double interval_ms() const {
    const ValueType& type = profile_.header.period_type;
    const Scaled period = scale(profile_.header.period, profile_.string(type.unit), "ms");
    return period.unit == "ms" && period.value > 0 ? period.value : 1;
  }

  void put_libraries() {
    out_.put(",\"libs\":[");
    bool first = true;
    for (const std::string& path : tables_.libraries.texts) {
      const std::string name = json_text(path.substr(path.rfind('/') + 1));
      out_.format("{}{{\"name\":{},\"path\":{},\"debugName\":{},\"debugPath\":{},", first ? "" : ",",
                  name, json_text(path), name, json_text(path));
      out_.format("\"breakpadId\":\"\",\"codeId\":{},\"arch\":\"\"}}", code_id(path));
      first = false;
    }
    out_.put(']');
  }

  [[nodiscard]] std::string code_id(std::string_view path) const {
    for (MappingId id = 1; id <= profile_.mapping_count(); ++id) {
      const Mapping& mapping = profile_.mapping(id);
      if (mapping.build_id != 0 && profile_.string(mapping.filename) == path) {
        return json_text(profile_.string(mapping.build_id));
      }
    }
    return "null";
  }

  void put_thread(std::uint32_t index) {
    const ThreadTable::Thread& thread = threads_.threads()[index];
    const std::string name = thread.name.empty() ? thread.tid : thread.name;
    out_.format(
        "{{\"name\":{},\"isMainThread\":{},\"processType\":\"default\",\"processName\":{},"
        "\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
        "\"unregisterTime\":null,\"pausedRanges\":[],\"pid\":{},\"tid\":{},",
        json_text(name.empty() ? "all" : name), index == 0, json_text(options_.title),
        json_text(thread.pid.empty() ? "0" : thread.pid),
        json_text(thread.tid.empty() ? fmt::format("{}", index) : thread.tid));
    put_samples(index);
    out_.put("\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],"
             "\"category\":[],\"length\":0},");
    put_stacks();
    put_frames();
    put_functions();
    column("stringArray", tables_.strings.texts.size(),
           [&](std::size_t i) { put_json(out_, tables_.strings.texts[i]); });
    out_.put("\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
             "\"length\":0}}");
  }

  void put_samples(std::uint32_t thread) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      if (threads_.thread_of(profile_.sample_labels(row)) == thread &&
          profile_.value(options_.sample_type, row) != 0) {
        rows.push_back(row);
      }
    }
    out_.format("\"samples\":{{\"weightType\":\"{}\",",
                is_time_ ? "tracing-ms" : is_bytes_ ? "bytes" : "samples");
    column("weight", rows.size(), [&](std::size_t i) { put_weight(rows[i]); });
    column("stack", rows.size(), [&](std::size_t i) {
      const std::uint32_t node = trie_.node_of(profile_.sample_stack(rows[i]));
      number_or_null(std::int64_t{node} - 1, node == 0);
    });
    double time = 0;
    column("time", rows.size(), [&](std::size_t i) {
      out_.format("{:.6f}", time);
      const std::int64_t value = profile_.value(options_.sample_type, rows[i]);
      time += is_time_ ? scale(value, unit_, "ms").value : interval_ms();
    });
    out_.format("\"length\":{}}},", rows.size());
  }

  void put_weight(std::uint32_t row) {
    const std::int64_t value = profile_.value(options_.sample_type, row);
    if (is_time_) out_.format("{}", scale(value, unit_, "ms").value);
    else if (is_bytes_) out_.format("{:.0f}", scale(value, unit_, "B").value);
    else out_.number(value);
  }

  [[nodiscard]] int category(const Frame& frame) const {
    const MappingId mapping = profile_.location(frame.location).mapping;
    const std::string_view path = profile_.string(profile_.mapping(mapping).filename);
    if (path.starts_with("[kernel") || frame.name.starts_with("[kernel")) return 2;
    return path.empty() ? 0 : 1;
  }

  void put_stacks() {
    const std::vector<FrameTrie::Node>& nodes = trie_.nodes();
    const std::size_t count = nodes.size() - 1;
    out_.put("\"stackTable\":{");
    column("frame", count, [&](std::size_t i) { out_.number(nodes[i + 1].frame); });
    column("prefix", count, [&](std::size_t i) {
      number_or_null(std::int64_t{nodes[i + 1].parent} - 1, nodes[i + 1].parent == 0);
    });
    column("category", count,
           [&](std::size_t i) { out_.number(category(frames_.frames()[nodes[i + 1].frame])); });
    constant("subcategory", count, "0");
    out_.format("\"length\":{}}},", count);
  }

  void put_frames() {
    const std::vector<Frame>& frames = frames_.frames();
    const std::size_t count = frames.size();
    out_.put("\"frameTable\":{");
    column("address", count, [&](std::size_t i) { out_.number(relative_address(frames[i])); });
    constant("inlineDepth", count, "0");
    column("category", count, [&](std::size_t i) { out_.number(category(frames[i])); });
    constant("subcategory", count, "0");
    column("func", count, [&](std::size_t i) { out_.number(tables_.frame_func[i]); });
    constant("nativeSymbol", count, "null");
    constant("innerWindowID", count, "0");
    constant("implementation", count, "null");
    column("line", count,
           [&](std::size_t i) { number_or_null(frames[i].line, frames[i].line <= 0); });
    column("column", count,
           [&](std::size_t i) { number_or_null(frames[i].column, frames[i].column <= 0); });
    out_.format("\"length\":{}}},", count);
  }

  // Into the library; -1 where that is not known.
  [[nodiscard]] std::int64_t relative_address(const Frame& frame) const {
    const Location& location = profile_.location(frame.location);
    const Mapping& mapping = profile_.mapping(location.mapping);
    if (location.mapping == 0 || location.address < mapping.start ||
        location.address >= mapping.limit) {
      return -1;
    }
    const std::uint64_t offset = location.address - mapping.start + mapping.file_offset;
    return static_cast<std::int64_t>(offset & 0x1fffffffffffff);  // what JavaScript can hold
  }

  void put_functions() {
    const std::size_t count = tables_.funcs.size();
    out_.put("\"funcTable\":{");
    column("name", count, [&](std::size_t i) { out_.number(tables_.funcs[i].name); });
    constant("isJS", count, "false");
    constant("relevantForJS", count, "false");
    column("resource", count, [&](std::size_t i) { out_.number(tables_.funcs[i].library); });
    column("fileName", count, [&](std::size_t i) {
      number_or_null(tables_.funcs[i].file, tables_.funcs[i].file < 0);
    });
    constant("lineNumber", count, "null");
    constant("columnNumber", count, "null");
    out_.format("\"length\":{}}},\"resourceTable\":{{", count);
    const std::size_t libraries = tables_.library_name.size();
    column("lib", libraries, [&](std::size_t i) { out_.number(i); });
    column("name", libraries, [&](std::size_t i) { out_.number(tables_.library_name[i]); });
    constant("host", libraries, "null");
    constant("type", libraries, "1");
    out_.format("\"length\":{}}},", libraries);
  }

  const Profile& profile_;
  const WriteOptions& options_;
  FrameTable frames_;
  FrameTrie trie_;
  ThreadTable threads_;
  Tables tables_;
  TextOutput out_;
  std::string_view unit_;
  bool is_time_ = false;
  bool is_bytes_ = false;
};

}  // namespace

Result<void> write_firefox(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  HPROF_TRY(refuse_negative(profile, options, "firefox"));
  note_losses(profile, options, "firefox", {.addresses = true, .lines = true});
  return FirefoxWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
