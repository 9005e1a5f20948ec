// SPDX-License-Identifier: Apache-2.0
#include "goroutine_text.h"

#include "legacy_text.h"
#include "named_frames.h"

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "goroutine-text";

// "goroutine 18 [chan receive, 5 minutes, locked to thread]:"
std::optional<std::string_view> state_of(std::string_view line) {
  if (!line.starts_with("goroutine ") || !line.ends_with("]:")) return std::nullopt;
  const std::size_t open = line.find(" [");
  if (open == std::string_view::npos || !legacy_number(line.substr(10, open - 10).substr(0, line.substr(10, open - 10).find(' ')))) {
    return std::nullopt;
  }
  return line.substr(open + 2, line.size() - open - 4);
}

// "main.(*T).f(0xc000, ...)" -> "main.(*T).f"
std::string_view without_arguments(std::string_view line) {
  if (!line.ends_with(')')) return line;
  int depth = 0;
  for (std::size_t at = line.size(); at > 0; --at) {
    if (line[at - 1] == ')') ++depth;
    if (line[at - 1] == '(' && --depth == 0) return line.substr(0, at - 1);
  }
  return line;
}

// "/src/a.go:12 +0x1f"
void take_place(std::string_view line, NamedFrames::Frame& frame) {
  line = line.substr(0, line.find(" +0x"));
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return;
  frame.file = line.substr(0, colon);
  frame.line = legacy_number(line.substr(colon + 1)).value_or(0);
}

/// Collects the goroutines one after the other.
class Goroutines {
 public:
  explicit Goroutines(std::size_t max_frames) : frames_(profile), max_frames_(max_frames) {
    profile.add_sample_type("goroutine", "count");
  }

  void begin(std::string_view state) {
    finish();
    open_ = true;
    const std::size_t comma = std::min(state.find(','), state.size());
    labels_ = {profile.text_label("state", state.substr(0, comma))};
    const std::size_t minutes = state.find(" minutes");
    if (minutes != std::string_view::npos) {
      const std::string_view before = state.substr(0, minutes);
      const auto wait = legacy_number(before.substr(before.rfind(' ') + 1));
      if (wait) labels_.push_back(profile.number_label("wait", *wait, "minutes"));
    }
  }
  void frame(const NamedFrames::Frame& frame) {
    if (stack_.size() < max_frames_) stack_.push_back(frames_.location(frame));
  }
  void created_by(std::string_view name) {
    labels_.push_back(profile.text_label("created_by", name.substr(0, name.find(" in goroutine"))));
  }
  void finish() {
    if (!open_) return;
    open_ = false;
    const std::array<std::int64_t, 1> one{1};
    profile.accumulate(profile.intern_stack_leaf_first(stack_), profile.intern_labels(labels_), one);
    stack_.clear();
    ++count;
  }
  [[nodiscard]] bool open() const { return open_; }

  Profile profile;
  std::uint64_t count = 0;

 private:
  NamedFrames frames_;
  std::size_t max_frames_;
  bool open_ = false;
  std::vector<Label> labels_;
  std::vector<LocationId> stack_;
};

}  // namespace

Sniff sniff_goroutine_text(const SniffInput& input) {
  const std::string head{as_text(input.head)};
  LegacyLines lines{head};
  while (lines.next()) {
    if (state_of(lines.line())) return Sniff::magic;
  }
  return Sniff::no;
}

Result<Profile> read_goroutine_text(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  Goroutines goroutines{options.limits.max_frames};
  LegacyLines lines{text};
  std::string_view function;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (const auto state = state_of(line)) {
      goroutines.begin(*state);
      function = {};
    } else if (line.empty()) {
      goroutines.finish();
    } else if (!goroutines.open() || line.starts_with("...")) {
      continue;
    } else if (line.starts_with("created by ")) {
      goroutines.created_by(line.substr(11));
      function = {};
      lines.next();  // its place
    } else if (function.empty()) {
      function = without_arguments(line);
    } else {
      NamedFrames::Frame frame{.name = function};
      take_place(line, frame);
      goroutines.frame(frame);
      function = {};
    }
  }
  goroutines.finish();
  if (goroutines.count == 0) return lines.wrong(kName, "no goroutine found");
  return std::move(goroutines.profile);
}

}  // namespace hprof::formats
