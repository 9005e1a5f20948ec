// SPDX-License-Identifier: Apache-2.0
#include "chrome_writer.h"

#include "frame_table.h"
#include "json_text.h"
#include "losses.h"
#include "stack_totals.h"
#include "text_output.h"
#include "thread_table.h"
#include "units.h"

#include <algorithm>

namespace hprof::formats {
namespace {

// Values of a column as nanoseconds, so that microseconds can be written with their fraction.
class Clock {
 public:
  Clock(const Profile& profile, std::size_t sample_type) {
    if (sample_type < profile.sample_types().size()) {
      unit_ = profile.string(profile.sample_types()[sample_type].unit);
    }
    is_time_ = scale(1, unit_, "ns").unit == "ns";
  }
  [[nodiscard]] bool is_time() const { return is_time_; }
  [[nodiscard]] double microseconds(std::int64_t value) const {
    return is_time_ ? scale(value, unit_, "us").value : static_cast<double>(value);
  }

 private:
  std::string_view unit_;
  bool is_time_ = false;
};

void note_time(const Profile& profile, const WriteOptions& options, std::string_view format) {
  if (Clock{profile, options.sample_type}.is_time()) return;
  add_note(options, fmt::format("{} output shows {} as time: 1 us stands for 1", format,
                                type_text(profile, options.sample_type)));
}

class CpuProfileWriter {
 public:
  CpuProfileWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile),
        options_(options),
        frames_(profile, options.short_names),
        trie_(profile, frames_),
        children_(trie_.nodes().size()),
        hits_(trie_.nodes().size()),
        out_(sink) {
    for (std::uint32_t i = 1; i < trie_.nodes().size(); ++i) {
      children_[trie_.nodes()[i].parent].push_back(i);
    }
  }

  // Node ids are those of the trie plus one: V8 counts from 1.
  Result<void> write() {
    find_rows();
    out_.put("{\"nodes\":[");
    for (std::uint32_t i = 0; i < trie_.nodes().size(); ++i) put_node(i);
    out_.put("\n],\"startTime\":0,\"samples\":[");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i != 0) out_.put(',');
      out_.number(node_of(rows_[i]) + 1);
    }
    put_times();
    return out_.finish();
  }

 private:
  [[nodiscard]] std::uint32_t node_of(std::uint32_t row) const {
    return trie_.node_of(profile_.sample_stack(row));
  }

  void find_rows() {
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      if (profile_.value(options_.sample_type, row) == 0) continue;
      rows_.push_back(row);
      ++hits_[node_of(row)];
    }
  }

  void put_node(std::uint32_t index) {
    out_.format("{}{{\"id\":{},\"callFrame\":{{\"functionName\":", index == 0 ? "\n" : ",\n",
                index + 1);
    const Frame root{.name = "(root)"};
    const Frame& frame = index == 0 ? root : frames_.frames()[trie_.nodes()[index].frame];
    put_json(out_, frame.name);
    out_.put(",\"scriptId\":\"0\",\"url\":");
    put_json(out_, frame.file);
    out_.format(",\"lineNumber\":{},\"columnNumber\":{}}},\"hitCount\":{},\"children\":[{}]}}",
                frame.line - 1, frame.column - 1, hits_[index], child_ids(index));
  }

  [[nodiscard]] std::string child_ids(std::uint32_t index) const {
    std::string text;
    for (const std::uint32_t child : children_[index]) {
      text += fmt::format("{}{}", text.empty() ? "" : ",", child + 1);
    }
    return text;
  }

  // A sample lasts until the next one: the first begins at 0, the last ends at endTime. Times are
  // whole microseconds; rounding the sums keeps the total right.
  void put_times() {
    const Clock clock{profile_, options_.sample_type};
    out_.put("],\"timeDeltas\":[");
    double time = 0;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto now = static_cast<std::int64_t>(time + 0.5);
      if (i != 0) out_.put(',');
      out_.number(now - before);
      before = now;
      time += clock.microseconds(profile_.value(options_.sample_type, rows_[i]));
    }
    out_.format("],\"endTime\":{}}}\n", static_cast<std::int64_t>(time + 0.5));
  }

  const Profile& profile_;
  const WriteOptions& options_;
  FrameTable frames_;
  FrameTrie trie_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint32_t> hits_;
  std::vector<std::uint32_t> rows_;
  TextOutput out_;
};

class TraceWriter {
 public:
  TraceWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile),
        options_(options),
        frames_(profile, options.short_names),
        trie_(profile, frames_),
        threads_(profile),
        clock_(profile, options.sample_type),
        out_(sink) {
    const std::vector<FrameTrie::Node>& nodes = trie_.nodes();
    first_.resize(nodes.size());
    next_.resize(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 1;) {
      next_[i] = first_[nodes[i].parent];
      first_[nodes[i].parent] = static_cast<std::uint32_t>(i);
    }
  }

  Result<void> write() {
    out_.put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    put_process();
    for (std::uint32_t i = 0; i < threads_.threads().size(); ++i) put_thread(i);
    out_.put("\n]}\n");
    return out_.finish();
  }

 private:
  void put_process() {
    out_.put("\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":");
    put_json(out_, options_.title.empty() ? std::string_view{"hprof"} : options_.title);
    out_.put("}}");
  }

  void put_thread(std::uint32_t thread) {
    const std::string title = threads_.threads()[thread].title();
    out_.format(",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":{},\"args\":{{\"name\":",
                thread + 1);
    put_json(out_, title.empty() ? std::string_view{"all"} : title);
    out_.put("}}");
    std::vector<std::int64_t> totals = totals_of(thread);
    // Preorder: an event begins where its sibling before it ended, or with its caller.
    std::vector<std::pair<std::uint32_t, double>> pending;
    push_children(0, 0, totals, pending);
    while (!pending.empty()) {
      const auto [node, start] = pending.back();
      pending.pop_back();
      put_event(node, start, totals[node], thread);
      push_children(node, start, totals, pending);
    }
  }

  void push_children(std::uint32_t node, double start, const std::vector<std::int64_t>& totals,
                     std::vector<std::pair<std::uint32_t, double>>& pending) {
    for (std::uint32_t child = first_[node]; child != 0; child = next_[child]) {
      if (totals[child] <= 0) continue;
      pending.emplace_back(child, start);
      start += clock_.microseconds(totals[child]);
    }
  }

  std::vector<std::int64_t> totals_of(std::uint32_t thread) {
    std::vector<std::int64_t> totals(trie_.nodes().size());
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      if (threads_.thread_of(profile_.sample_labels(row)) != thread) continue;
      std::int64_t& total = totals[trie_.node_of(profile_.sample_stack(row))];
      total = wrapping_add(total, profile_.value(options_.sample_type, row));
    }
    for (std::size_t i = totals.size(); i-- > 1;) {
      std::int64_t& parent = totals[trie_.nodes()[i].parent];
      parent = wrapping_add(parent, totals[i]);
    }
    return totals;
  }

  void put_event(std::uint32_t node, double start, std::int64_t total, std::uint32_t thread) {
    const Frame& frame = frames_.frames()[trie_.nodes()[node].frame];
    out_.put(",\n{\"ph\":\"X\",\"cat\":\"profile\",\"name\":");
    put_json(out_, frame.name);
    out_.format(",\"pid\":1,\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f}", thread + 1, start,
                clock_.microseconds(total));
    if (!frame.file.empty()) {
      out_.put(",\"args\":{\"file\":");
      put_json(out_, frame.file);
      out_.format(",\"line\":{}}}", frame.line);
    }
    out_.put('}');
  }

  const Profile& profile_;
  const WriteOptions& options_;
  FrameTable frames_;
  FrameTrie trie_;
  ThreadTable threads_;
  Clock clock_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_;
  TextOutput out_;
};

}  // namespace

Result<void> write_cpuprofile(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  HPROF_TRY(refuse_negative(profile, options, "cpuprofile"));
  note_losses(profile, options, "cpuprofile", {.lines = true});
  note_time(profile, options, "cpuprofile");
  return CpuProfileWriter{profile, sink, options}.write();
}

Result<void> write_chrome_trace(const Profile& profile, ByteSink& sink,
                                const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  HPROF_TRY(refuse_negative(profile, options, "chrome-trace"));
  note_losses(profile, options, "chrome-trace", {.lines = true});
  note_time(profile, options, "chrome-trace");
  return TraceWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
