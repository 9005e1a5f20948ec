// SPDX-License-Identifier: Apache-2.0
#include "folded_reader.h"

#include "folded_collector.h"
#include "profile_append.h"
#include "text_blocks.h"
#include "text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

using Row = FoldedCollector::Row;
using Collectors = std::vector<FoldedCollector>;

std::string_view name_of(const ReadOptions& options) {
  return options.diff ? "diff-folded" : "folded";
}

void note(const ReadOptions& options, std::string text) {
  if (options.notes != nullptr) {
    options.notes->push_back(fmt::format("{}: {}", name_of(options), text));
  }
}

Result<void> check(const Collectors& collectors, const ReadOptions& options) {
  std::uint64_t stacks = 0;
  std::uint64_t differential = 0;
  std::uint64_t bad_lines = 0;
  std::uint64_t rounded = 0;
  const FoldedCollector::BadLine* bad = nullptr;
  for (const FoldedCollector& c : collectors) {
    stacks += c.stacks;
    differential += c.differential;
    bad_lines += c.bad_lines;
    rounded += c.rounded;
    if (c.first_bad && (bad == nullptr || c.first_bad->block < bad->block)) bad = &*c.first_bad;
  }
  if (bad != nullptr) {
    std::uint64_t line = bad->line;
    for (const FoldedCollector& c : collectors) {
      for (const auto& [block, lines] : c.block_lines) line += block < bad->block ? lines : 0;
    }
    if (stacks == 0) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("{}: no line is a stack with a count, line {} is '{}'",
                               name_of(options), line, bad->text),
                   {}};
    }
    note(options, fmt::format("{} {} skipped, the first is line {}: '{}'", bad_lines,
                              bad_lines == 1 ? "line was" : "lines were", line, bad->text));
  }
  if (stacks == 0) {
    return Error{ErrorKind::malformed_input, fmt::format("{}: no stack in the text", name_of(options)),
                 {}};
  }
  if (!options.diff && differential == stacks) {
    note(options, "every line ends in two numbers; if they are counts before and after, read it "
                  "with --input-format diff-folded");
  }
  if (rounded != 0) note(options, fmt::format("{} values were too large to keep exactly", rounded));
  return {};
}

int common_scale(Collectors& collectors) {
  int scale = 0;
  for (const FoldedCollector& c : collectors) scale = std::max(scale, c.scale);
  // One that cannot follow keeps the others from it: better a cut fraction than a wrong sum.
  for (FoldedCollector& c : collectors) {
    if (!c.rescale(scale)) return -1;
  }
  return scale;
}

void add_row(Profile& profile, const Row& row, StackId stack, bool diff, LabelSetId base) {
  if (diff && row.before != 0) {
    const std::array<std::int64_t, 1> before{-row.before};
    profile.accumulate(stack, base, before);
  }
  if (!diff || row.value != 0 || row.before == 0) {
    const std::array<std::int64_t, 1> value{row.value};
    profile.accumulate(stack, 0, value);
  }
}

Profile merge(Collectors& collectors, const ReadOptions& options, int scale) {
  Profile merged;
  const bool single = collectors.size() == 1;
  if (single) merged = std::move(collectors[0].profile);
  std::string unit = "count";
  if (scale > 0) {
    std::int64_t parts = 1;
    for (int i = 0; i < scale; ++i) parts *= 10;
    unit = fmt::format("count/{}", parts);
    note(options, fmt::format("counts have fractions; values are in units of 1/{}", parts));
  }
  merged.add_sample_type("samples", unit);
  LabelSetId base = 0;
  if (options.diff) {
    const std::array<Label, 1> labels{merged.text_label("pprof::base", "true")};
    base = merged.intern_labels(labels);
  }
  if (single) {
    for (const Row& row : collectors[0].rows) add_row(merged, row, row.stack, options.diff, base);
  } else {
    std::vector<ProfileAppender> appenders;
    appenders.reserve(collectors.size());
    for (const FoldedCollector& c : collectors) appenders.emplace_back(c.profile, merged);
    std::vector<std::size_t> next(collectors.size(), 0);
    const auto block_at = [&](std::size_t c) {
      return next[c] == collectors[c].rows.size() ? ~std::uint64_t{0}
                                                  : collectors[c].rows[next[c]].block;
    };
    for (;;) {
      std::size_t from = 0;
      for (std::size_t c = 1; c < collectors.size(); ++c) {
        if (block_at(c) < block_at(from)) from = c;
      }
      if (block_at(from) == ~std::uint64_t{0}) break;
      const Row& row = collectors[from].rows[next[from]++];
      add_row(merged, row, appenders[from].stack(row.stack), options.diff, base);
    }
  }
  for (const FoldedCollector& c : collectors) {
    for (const std::string& text : c.comments) merged.header.comments.push_back(merged.intern(text));
    merged.counters.skipped += c.bad_lines;
  }
  return merged;
}

}  // namespace

Sniff sniff_folded(const SniffInput& input) {
  const std::string text = text_head(input.head);
  std::size_t good = 0;
  std::size_t with_frames = 0;
  std::size_t other = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end == text.size() && !input.whole && good + other > 0) break;  // cut in the middle
    std::string_view line = std::string_view{text}.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t blank = line.find_last_of(" \t");
    const bool stack = blank != std::string_view::npos && blank > 0 &&
                       parse_folded_count(line.substr(blank + 1)).has_value() &&
                       line.find('\0') == std::string_view::npos;
    stack ? ++good : ++other;
    if (stack && line.find(';') != std::string_view::npos) ++with_frames;
  }
  if (good == 0) return Sniff::no;
  if (with_frames * 2 > good && good > other) return Sniff::likely;
  return good >= other ? Sniff::possible : Sniff::no;
}

Result<Profile> read_folded(ByteSource& source, const ReadOptions& options) {
  TextSource text{source};
  const unsigned threads = reader_threads(options.threads);
  Collectors collectors;
  collectors.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) collectors.emplace_back(options);
  const BlockOptions blocks{.threads = threads, .max_bytes = options.limits.max_bytes};
  if (auto read = for_each_block(
          text, blocks, cut_at_line,
          [&](unsigned thread, const TextBlock& block) { collectors[thread].parse(block); });
      !read) {
    return read.error().within(name_of(options));
  }
  HPROF_TRY(check(collectors, options));
  std::erase_if(collectors, [](const FoldedCollector& c) { return c.block_lines.empty(); });
  const int scale = common_scale(collectors);
  if (scale < 0) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("{}: counts are too large and too fine at once", name_of(options)), {}};
  }
  return merge(collectors, options, scale);
}

}  // namespace hprof::formats
