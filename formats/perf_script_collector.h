// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_script_line.h"
#include "text_blocks.h"

#include <hprof/core/profile/profile.h>
#include <hprof/formats/registry.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::formats {

/// Turns blocks of perf script text into counted stacks. One object for each thread; merge_scripts()
/// joins them.
class ScriptCollector {
 public:
  explicit ScriptCollector(ReadOptions options) : options_(std::move(options)) {}

  void parse(const TextBlock& block);

  /// Samples of one event with one stack and the same labels.
  struct Row {
    StackId stack = 0;
    LabelSetId labels = 0;
    std::uint32_t event = 0;
    std::uint64_t block = 0;  ///< where it was first met
    std::int64_t count = 0;
    std::int64_t weight = 0;
  };
  struct Event {
    std::string name;
    bool weighted = false;
    std::uint64_t block = 0;
  };
  /// A line that could not be used, by the block's line number.
  struct BadLine {
    std::uint64_t block = 0;
    std::uint64_t line = 0;
    std::string text;
  };

  Profile profile;  ///< tables only
  std::vector<Row> rows;
  std::vector<Event> events;
  std::vector<std::string> comments;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> block_lines;  ///< block, lines in it
  std::optional<BadLine> first_bad;
  std::uint64_t bad_lines = 0;
  std::uint64_t samples = 0;
  std::uint64_t cut_stacks = 0;
  std::optional<std::int64_t> first_time_ns;
  std::optional<std::int64_t> last_time_ns;
  bool outside_clock = false;  ///< since/until are dates, the text has the boot clock's times

 private:
  enum class LineKind : std::uint8_t { unseen, frame, inlined, source, header, bad };
  struct CachedLine {
    LineKind kind = LineKind::unseen;
    std::uint32_t id = 0;  ///< location of a frame, function of an inlined one
  };

  void line(std::string_view text);
  void line_in_sample(std::string_view text);
  void header_line(std::string_view text);
  void begin(const ScriptHeader& header);
  void finish();
  bool wanted(const ScriptHeader& header);
  CachedLine parse_line(std::string_view text);
  CachedLine make_frame(const ScriptFrame& frame);
  void use(CachedLine cached, std::string_view text);
  void add_source(std::string_view text);
  void comment(std::string_view text);
  void bad(std::string_view text);
  std::uint32_t event_id(std::string_view name);
  LabelSetId who(const ScriptHeader& header);
  MappingId module(std::string_view name);
  StackId stack();

  ReadOptions options_;
  std::uint64_t block_ = 0;
  std::uint64_t line_number_ = 0;

  StringTable lines_;                 ///< distinct frame lines …
  std::vector<CachedLine> cached_;    ///< … and what they mean
  StringTable who_texts_;
  std::vector<LabelSetId> who_labels_;
  StringTable module_names_;
  std::vector<MappingId> modules_;
  InternTable row_index_;

  bool in_sample_ = false;
  bool skip_ = false;
  std::uint32_t event_ = 0;
  LabelSetId labels_ = 0;
  std::int64_t weight_ = 1;
  bool cut_ = false;
  std::vector<Line> inlined_;         ///< waiting for the frame they were inlined into
  std::vector<LocationId> frames_;    ///< leaf first
  std::vector<LocationId> last_frames_;
  std::vector<StackId> last_stacks_;  ///< of last_frames_, leaf first
  std::vector<StackId> stacks_;
};

/// One profile of what the collectors found, the same whatever the number of threads was.
Profile merge_scripts(std::vector<ScriptCollector>& collectors, const ReadOptions& options);

}  // namespace hprof::formats
