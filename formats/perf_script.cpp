// SPDX-License-Identifier: Apache-2.0
#include "perf_script.h"

#include "perf_script_collector.h"
#include "text_blocks.h"
#include "text_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::formats {
namespace {

bool is_break(char c) { return c == '\n' || c == '\r'; }

// Behind the last blank line; in text without any, before the last line that begins a sample.
std::size_t cut_at_sample(std::string_view text) {
  std::size_t end = text.size();
  for (;;) {
    const std::size_t newline = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
    if (newline == std::string_view::npos) break;
    std::size_t before = newline;
    while (before > 0 && text[before - 1] == '\r') --before;
    if (before > 0 && text[before - 1] == '\n') return newline + 1;
    end = newline;
  }
  constexpr std::size_t kPatience = std::size_t{8} << 20;
  if (text.size() < kPatience) return 0;
  for (end = text.rfind('\n'); end != std::string_view::npos && end > 0;) {
    const std::size_t begin = text.rfind('\n', end - 1);
    const std::size_t first = begin == std::string_view::npos ? 0 : begin + 1;
    const std::string_view line = text.substr(first, end - first);
    const auto header = parse_script_header(line);
    if (header && header->time_ns && first != 0) return first;
    end = begin;
  }
  return 0;
}

std::uint64_t line_of(const std::vector<ScriptCollector>& collectors,
                      const ScriptCollector::BadLine& bad) {
  std::uint64_t line = bad.line;
  for (const ScriptCollector& c : collectors) {
    for (const auto& [block, lines] : c.block_lines) line += block < bad.block ? lines : 0;
  }
  return line;
}

Result<void> check(const std::vector<ScriptCollector>& collectors, const ReadOptions& options) {
  std::uint64_t samples = 0;
  std::uint64_t bad_lines = 0;
  bool any = false;
  bool outside_clock = false;
  const ScriptCollector::BadLine* bad = nullptr;
  for (const ScriptCollector& c : collectors) {
    samples += c.samples;
    bad_lines += c.bad_lines;
    outside_clock |= c.outside_clock;
    any |= !c.block_lines.empty();
    if (c.first_bad && (bad == nullptr || c.first_bad->block < bad->block)) bad = &*c.first_bad;
  }
  if (outside_clock) {
    return Error{ErrorKind::usage,
                 "perf-script: the times in this text count from boot, not from a date",
                 "give --since and --until as @SECONDS of that clock"};
  }
  if (!any) return Error{ErrorKind::malformed_input, "perf-script: the text is empty", {}};
  if (bad == nullptr) return {};
  const std::uint64_t line = line_of(collectors, *bad);
  if (samples == 0) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("perf-script: no sample found, line {} is no sample: '{}'", line,
                             bad->text),
                 {}};
  }
  if (options.notes != nullptr) {
    options.notes->push_back(fmt::format("perf-script: {} {} skipped, the first is line {}: '{}'",
                                         bad_lines, bad_lines == 1 ? "line was" : "lines were",
                                         line, bad->text));
  }
  return {};
}

}  // namespace

Sniff sniff_perf_script(const SniffInput& input) {
  const std::string text = text_head(input.head);
  std::size_t headers = 0;
  std::size_t frames = 0;
  bool announced = false;
  bool behind_header = false;
  for (std::size_t at = 0; at < text.size() && headers < 16;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view{text}.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && is_break(line.back())) line.remove_suffix(1);
    if (line.starts_with("# captured on") || line.starts_with("# perf version")) announced = true;
    if (line.empty() || line.front() == '#') continue;
    if (behind_header && parse_script_frame(line)) {
      ++frames;
      continue;
    }
    const auto header = parse_script_header(line);
    behind_header = header && header->time_ns && !header->event.empty();
    if (!behind_header) continue;
    ++headers;
    if (parse_script_frame(header->rest)) ++frames;
  }
  if (headers > 0 && (frames > 0 || announced)) return Sniff::likely;
  if (announced) return Sniff::possible;
  return headers > 1 ? Sniff::possible : Sniff::no;
}

Result<Profile> read_perf_script(ByteSource& source, const ReadOptions& options) {
  TextSource text{source};
  const unsigned threads = reader_threads(options.threads);
  std::vector<ScriptCollector> collectors;
  collectors.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) collectors.emplace_back(options);
  const BlockOptions blocks{.threads = threads, .max_bytes = options.limits.max_bytes};
  if (auto read = for_each_block(
          text, blocks, cut_at_sample,
          [&](unsigned thread, const TextBlock& block) { collectors[thread].parse(block); });
      !read) {
    return read.error().within("perf-script");
  }
  HPROF_TRY(check(collectors, options));
  std::erase_if(collectors, [](const ScriptCollector& c) { return c.block_lines.empty(); });
  return merge_scripts(collectors, options);
}

}  // namespace hprof::formats
