// SPDX-License-Identifier: Apache-2.0
#include "heaptrack.h"

#include "heaptrack_costs.h"
#include "named_frames.h"
#include "text_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace hprof::formats {
namespace {

/// Hexadecimal numbers with blanks between, front to back.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}
  std::optional<std::uint64_t> next() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, 16);
    if (error != std::errc{} || rest_.empty()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::string_view word() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return out;
  }
  [[nodiscard]] std::string_view rest() const { return rest_.starts_with(' ') ? rest_.substr(1) : rest_; }

 private:
  std::string_view rest_;
};

// "leak:^exact*": a part of a name, '*' stands for anything, ^ and $ for its ends.
bool suppressed(std::string_view pattern, std::string_view name) {
  const bool from_start = pattern.starts_with('^');
  const bool to_end = pattern.ends_with('$');
  if (from_start) pattern.remove_prefix(1);
  if (to_end && !pattern.empty()) pattern.remove_suffix(1);
  bool first = true;
  std::size_t at = 0;
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    std::size_t found = first && from_start ? (name.starts_with(part) ? 0 : std::string_view::npos) : name.find(part, at);
    if (last && to_end && found != std::string_view::npos) {
      const bool fits = name.size() >= at + part.size() && name.ends_with(part);
      found = fits && (!(first && from_start) || name.size() == part.size()) ? name.size() - part.size() : std::string_view::npos;
    }
    if (found == std::string_view::npos) return false;
    if (last) return true;
    at = found + part.size();
    pattern.remove_prefix(star + 1);
    first = false;
  }
}

/// One recording. Every line begins with a letter that says what it holds.
/// v VERSION FILE_VERSION · x, X command · S suppression · s string · i, m, t, a, +, - below
class Recording {
 public:
  explicit Recording(const ReadOptions& options) : options_(options), frames_(profile_) {
    for (const auto& [type, unit] : {std::pair{"allocations", "count"}, {"temporary", "count"}, {"peak", "bytes"}, {"leaked", "bytes"}}) {
      profile_.add_sample_type(type, unit);
    }
  }

  void parse(std::string_view text) {
    while (!text.empty() && !failed_) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  Result<Profile> finish() {
    if (failed_) return *std::move(failed_);
    if (!versioned_) return Error{ErrorKind::malformed_input, "heaptrack: line 1: the version is missing", {}};
    const auto& costs = costs_.traces();
    for (std::uint32_t id = 0; id < costs.size(); ++id) {
      const HeapCosts::Trace& c = costs[id];
      if (c.allocations == 0 && c.held == 0) continue;
      const std::int64_t leaked = is_suppressed(id) ? 0 : c.held;
      const std::array<std::int64_t, 4> values{c.allocations, c.temporary, c.peak, leaked};
      profile_.accumulate(stack(id), 0, values);
    }
    profile_.counters.skipped += unknown_;
    return std::move(profile_);
  }

 private:
  struct Trace {
    std::uint32_t ip = 0;      ///< interpreted: index of an instruction pointer
    std::uint32_t parent = 0;
    LocationId location = 0;   ///< raw
  };
  struct Allocation {
    std::int64_t size = 0;
    std::uint32_t trace = 0;
  };
  struct Live {
    Allocation allocation;
    std::uint64_t number = 0;
  };
  struct Range {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    MappingId mapping = 0;
  };

  void fail(std::string_view what) {
    if (!failed_) failed_ = Error{ErrorKind::malformed_input, fmt::format("heaptrack: line {}: {}", line_, what), {}};
  }

  void line(std::string_view text) {
    ++line_;
    if (text.empty() || text.front() == '#') return;
    Fields fields{text.substr(1)};
    if (!versioned_ && text.front() != 'v') return fail("the version does not come first");
    switch (text.front()) {
      case 'v': {
        const auto version = fields.next();
        file_version_ = fields.next().value_or(0);
        versioned_ = version.has_value();
        return;
      }
      case 'X':
      case 'x':
        raw_ = raw_ || text.front() == 'x';
        profile_.header.comments.push_back(profile_.intern(fmt::format("heaptrack: {}", counted(fields))));
        return;
      case 'S': {
        constexpr std::string_view kLeak = "leak:";
        std::string_view pattern = fields.rest();
        if (pattern.starts_with(kLeak)) pattern.remove_prefix(kLeak.size());
        suppressions_.emplace_back(pattern);
        return;
      }
      case 's': strings_.emplace_back(counted(fields)); return;
      case 'i': return instruction(fields);
      case 'm': return module(fields);
      case 't': return trace(fields);
      case 'a': return allocation_info(fields);
      case '+': return allocated(fields);
      case '-': return released(fields);
      case 'c':
      case 'R':
      case 'I':
      case 'A': return;
      default: ++unknown_; return;
    }
  }

  // Since file version 3 the length stands before a string.
  std::string_view counted(Fields& fields) const {
    if (file_version_ >= 3) fields.next();
    return fields.rest();
  }

  std::string_view string(std::uint64_t index) const {
    return index == 0 || index > strings_.size() ? std::string_view{} : std::string_view{strings_[index - 1]};
  }

  // i ADDRESS MODULE [FUNCTION FILE LINE, then those it was inlined into]: string numbers, from 1
  void instruction(Fields& fields) {
    const auto address = fields.next();
    const auto module_name = fields.next();
    if (!address || !module_name) return fail("an instruction pointer is cut");
    std::vector<Line> lines;
    while (const auto function = fields.next()) {
      const auto file = fields.next();
      const auto number = file ? fields.next() : std::nullopt;
      const StringId name = profile_.intern(string(*function));
      if (name == 0 || lines.size() >= 1000) break;
      lines.push_back({profile_.intern_function({.name = name, .system_name = name, .filename = profile_.intern(string(file.value_or(0)))}),
                       static_cast<std::int64_t>(number.value_or(0)), 0});
    }
    instructions_.push_back(profile_.intern_location(frames_.module(string(*module_name)), *address, lines));
  }

  // raw: m PATH ADDRESS {OFFSET SIZE}…, or "m -" before all are told anew
  void module(Fields& fields) {
    if (file_version_ >= 3) fields.next();
    const std::string_view path = fields.word();
    if (path == "-") {
      ranges_.clear();
      return;
    }
    const auto base = fields.next();
    if (path.empty() || !base) return fail("a module is cut");
    while (const auto offset = fields.next()) {
      const auto size = fields.next();
      if (!size) return fail("a module's part has no size");
      const std::uint64_t start = *base + *offset;
      ranges_.push_back({start, start + *size,
                         profile_.intern_mapping({.start = start, .limit = start + *size, .file_offset = *offset, .filename = profile_.intern(path)})});
    }
  }

  LocationId raw_location(std::uint64_t address) {
    // Return addresses: the call is before them.
    const std::uint64_t inside = address == 0 ? 0 : address - 1;
    for (const Range& range : ranges_) {
      if (range.start <= inside && inside < range.end) return profile_.intern_location(range.mapping, inside);
    }
    return profile_.intern_location(0, inside);
  }

  // t IP PARENT: the IP's number, or its address in a raw recording; both from 1, 0 is the root
  void trace(Fields& fields) {
    const auto ip = fields.next();
    const auto parent = fields.next();
    if (!ip || !parent) return fail("a trace is cut");
    if (*parent > traces_.size()) return fail("a trace's parent comes later");
    Trace made{.parent = static_cast<std::uint32_t>(*parent)};
    if (raw_) {
      made.location = raw_location(*ip);
    } else {
      if (*ip > instructions_.size()) return fail("a trace's instruction pointer comes later");
      made.location = *ip == 0 ? 0 : instructions_[*ip - 1];
    }
    traces_.push_back(made);
  }

  void allocation_info(Fields& fields) {
    const auto size = fields.next();
    const auto trace = fields.next();
    if (!size || !trace || *trace > traces_.size()) return fail("an allocation has no known trace");
    infos_.push_back({static_cast<std::int64_t>(*size), static_cast<std::uint32_t>(*trace)});
  }

  // + INFO, or raw: + SIZE TRACE POINTER
  void allocated(Fields& fields) {
    const auto first = fields.next();
    if (!first) return fail("an allocation is cut");
    ++events_;
    const auto trace = fields.next();
    if (!trace) {
      if (*first >= infos_.size()) return fail("an allocation's kind comes later");
      last_info_ = *first;
      costs_.allocate(infos_[*first].trace, infos_[*first].size);
      return;
    }
    const auto pointer = fields.next();
    if (!pointer || *trace > traces_.size()) return fail("an allocation has no known trace");
    const Allocation made{static_cast<std::int64_t>(*first), static_cast<std::uint32_t>(*trace)};
    live_[*pointer] = {made, events_};
    costs_.allocate(made.trace, made.size);
  }

  // - INFO, or raw: - POINTER. Temporary: freed before anything else was allocated.
  void released(Fields& fields) {
    const auto what = fields.next();
    if (!what) return fail("a release is cut");
    if (!live_.empty() || raw_) {
      const auto found = live_.find(*what);
      if (found == live_.end()) return;
      costs_.release(found->second.allocation.trace, found->second.allocation.size, found->second.number == events_);
      live_.erase(found);
      return;
    }
    if (*what >= infos_.size()) return fail("a release's kind comes later");
    costs_.release(infos_[*what].trace, infos_[*what].size, last_info_ == *what);
    last_info_ = 0;
  }

  StackId stack(std::uint32_t trace) {
    stack_.clear();
    for (; trace != 0 && stack_.size() < options_.limits.max_frames; trace = traces_[trace - 1].parent) {
      if (traces_[trace - 1].location != 0) stack_.push_back(traces_[trace - 1].location);
    }
    return profile_.intern_stack_leaf_first(stack_);
  }

  bool is_suppressed(std::uint32_t trace) const {
    if (suppressions_.empty()) return false;
    for (; trace != 0; trace = traces_[trace - 1].parent) {
      const LocationId id = traces_[trace - 1].location;
      for (const std::string& pattern : suppressions_) {
        if (suppressed(pattern, profile_.string(profile_.mapping(profile_.location(id).mapping).filename))) return true;
        for (const Line& line : profile_.lines(id)) {
          const Function& f = profile_.function(line.function);
          if (suppressed(pattern, profile_.string(f.name)) || suppressed(pattern, profile_.string(f.filename))) return true;
        }
      }
    }
    return false;
  }

  const ReadOptions& options_;
  Profile profile_;
  NamedFrames frames_;
  HeapCosts costs_;
  std::optional<Error> failed_;
  bool versioned_ = false;
  bool raw_ = false;
  std::uint64_t file_version_ = 0;
  std::uint64_t line_ = 0;
  std::uint64_t unknown_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t last_info_ = 0;  ///< 0 is "none" too: heaptrack's own account is the same
  std::vector<std::string> strings_;
  std::vector<std::string> suppressions_;
  std::vector<LocationId> instructions_;
  std::vector<Trace> traces_;
  std::vector<Allocation> infos_;
  std::unordered_map<std::uint64_t, Live> live_;
  std::vector<Range> ranges_;
  std::vector<LocationId> stack_;
};

}  // namespace

Sniff sniff_heaptrack(const SniffInput& input) {
  std::string_view head = as_text(input.head);
  if (!head.starts_with("v ")) return Sniff::no;
  Fields fields{head.substr(1, head.find('\n') - 1)};
  if (!fields.next()) return Sniff::no;
  const std::size_t second = head.find('\n');
  if (second == std::string_view::npos || second + 1 >= head.size()) return Sniff::possible;
  return std::string_view{"XxIsS#"}.find(head[second + 1]) != std::string_view::npos ? Sniff::magic : Sniff::no;
}

Result<Profile> read_heaptrack(ByteSource& source, const ReadOptions& options) {
  Recording recording{options};
  const BlockOptions blocks{.threads = 1, .max_bytes = options.limits.max_bytes};
  if (auto read = for_each_block(source, blocks, cut_at_line,
                                 [&](unsigned, const TextBlock& block) { recording.parse(block.text); });
      !read) {
    return read.error().within("heaptrack");
  }
  return recording.finish();
}

}  // namespace hprof::formats
