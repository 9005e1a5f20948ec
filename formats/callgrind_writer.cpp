// SPDX-License-Identifier: Apache-2.0
#include "callgrind_writer.h"

#include "frame_table.h"
#include "losses.h"
#include "stack_totals.h"
#include "text_output.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace hprof::formats {
namespace {

using Costs = std::vector<std::int64_t>;

void add(Costs& to, const Costs& costs) {
  to.resize(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) to[i] = wrapping_add(to[i], costs[i]);
}

// Names of files, objects and functions, written out once: "(3) name", then "(3)".
class CompressedNames {
 public:
  void put(TextOutput& out, std::string_view prefix, std::string_view name) {
    const auto [at, is_new] = ids_.try_emplace(std::string{name}, ids_.size() + 1);
    out.format("{}=({})", prefix, at->second);
    if (is_new) {
      out.put(' ');
      for (const char c : name) out.put(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
    }
    out.put('\n');
  }

 private:
  std::unordered_map<std::string, std::size_t> ids_;
};

class CallgrindWriter {
 public:
  CallgrindWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile), frames_(profile, options.short_names), out_(sink) {
    find_functions();
  }

  Result<void> write() {
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) count(row);
    put_header();
    for (const auto& [id, function] : functions_) put_function(function);
    out_.put("\ntotals:");
    put_costs(totals_);
    return out_.finish();
  }

 private:
  using FunctionKey = std::uint32_t;

  struct Call {
    std::int64_t line;
    FunctionKey callee;
    std::int64_t callee_line;
    auto operator<=>(const Call&) const = default;
  };
  struct Function {
    const Frame* frame = nullptr;
    std::map<std::int64_t, Costs> own;  ///< by line
    std::map<Call, Costs> calls;
  };

  // Frames of one name, file and module are one function; it is known by its first frame's index.
  void find_functions() {
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, FunctionKey> known;
    for (std::uint32_t i = 0; i < frames_.frames().size(); ++i) {
      const Frame& frame = frames_.frames()[i];
      function_of_.push_back(known.try_emplace({frame.name, frame.file, module(frame)}, i).first->second);
    }
    last_seen_.assign(frames_.frames().size(), 0);
  }

  [[nodiscard]] std::string_view module(const Frame& frame) const {
    return profile_.string(
        profile_.mapping(profile_.location(frame.location).mapping).filename);
  }

  void count(std::uint32_t row) {
    Costs costs;
    for (std::size_t i = 0; i < profile_.sample_types().size(); ++i) {
      costs.push_back(profile_.value(i, row));
    }
    add(totals_, costs);
    if (std::ranges::all_of(costs, [](std::int64_t c) { return c == 0; })) return;
    stack_.clear();
    profile_.stack_leaf_first(profile_.sample_stack(row), locations_);
    for (const LocationId location : locations_) {
      const std::span<const std::uint32_t> frames = frames_.of(location);
      stack_.insert(stack_.end(), frames.rbegin(), frames.rend());
    }
    count_stack(costs);
  }

  // Leaf first: of a function that recurs, only the innermost occurrence passes the cost on.
  void count_stack(const Costs& costs) {
    if (stack_.empty()) return;
    ++epoch_;
    for (std::size_t i = 0; i < stack_.size(); ++i) {
      const FunctionKey key = function_of_[stack_[i]];
      if (last_seen_[key] == epoch_) continue;
      last_seen_[key] = epoch_;
      Function& function = functions_[key];
      function.frame = &frames_.frames()[key];
      const std::int64_t line = std::max<std::int64_t>(0, frames_.frames()[stack_[i]].line);
      if (i == 0) {
        add(function.own[line], costs);
        continue;
      }
      const std::uint32_t callee = stack_[i - 1];
      const std::int64_t callee_line = std::max<std::int64_t>(0, frames_.frames()[callee].line);
      add(function.calls[{line, function_of_[callee], callee_line}], costs);
    }
  }

  void put_header() {
    out_.put("# callgrind format\nversion: 1\ncreator: hprof\npositions: line\n");
    std::string events;
    for (std::size_t i = 0; i < profile_.sample_types().size(); ++i) {
      const std::string event = event_name(i);
      out_.format("event: {} : {}\n", event, type_text(profile_, i));
      events += " " + event;
    }
    out_.format("events:{}\n", events);
    out_.put("summary:");
    put_costs(totals_);
  }

  // An event's name is one word; two columns may have the same type.
  [[nodiscard]] std::string event_name(std::size_t index) const {
    std::string name;
    for (const char c : profile_.string(profile_.sample_types()[index].type)) {
      const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9' && !name.empty()) || c == '_';
      name.push_back(is_word ? c : '_');
    }
    for (std::size_t i = 0; i < index; ++i) {
      if (profile_.sample_types()[i].type == profile_.sample_types()[index].type) name += "_";
    }
    return name.empty() ? fmt::format("event{}", index) : name;
  }

  void put_costs(Costs costs) {
    costs.resize(profile_.sample_types().size());
    for (const std::int64_t cost : costs) {
      out_.put(' ');
      out_.number(cost);
    }
    out_.put('\n');
  }

  void put_place(std::string_view prefix, const Frame& frame) {
    const std::string_view object = module(frame);
    objects_.put(out_, fmt::format("{}ob", prefix), object.empty() ? "???" : object);
    files_.put(out_, prefix.empty() ? "fl" : "cfi", frame.file.empty() ? "???" : frame.file);
    names_.put(out_, fmt::format("{}fn", prefix), frame.name);
  }

  void put_function(const Function& function) {
    out_.put('\n');
    put_place("", *function.frame);
    for (const auto& [line, costs] : function.own) {
      out_.number(line);
      put_costs(costs);
    }
    for (const auto& [call, costs] : function.calls) {
      put_place("c", frames_.frames()[call.callee]);
      out_.format("calls=1 {}\n{}", call.callee_line, call.line);
      put_costs(costs);
    }
  }

  const Profile& profile_;
  FrameTable frames_;
  TextOutput out_;
  std::vector<FunctionKey> function_of_;     ///< by frame
  std::vector<std::uint32_t> last_seen_;     ///< by function: the epoch
  std::uint32_t epoch_ = 0;
  std::map<FunctionKey, Function> functions_;
  Costs totals_;
  std::vector<LocationId> locations_;
  std::vector<std::uint32_t> stack_;
  CompressedNames objects_;
  CompressedNames files_;
  CompressedNames names_;
};

}  // namespace

Result<void> write_callgrind(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  HPROF_TRY(refuse_negative(profile, options, "callgrind", true));
  note_losses(profile, options, "callgrind",
              {.all_columns = true, .addresses = true, .lines = true});
  return CallgrindWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
