// SPDX-License-Identifier: Apache-2.0
#include "record_report.h"

#include "json_object.h"
#include "units.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

namespace hprof::cli {
namespace {

constexpr std::uint64_t kFewSamples = 100;
constexpr double kEnoughCpuPercent = 95;
constexpr double kManyTruncatedPercent = 5;

double percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

std::string plural(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", human_count(count), word, count == 1 ? "" : "s");
}

std::string sample_line(const RecordingFacts& facts) {
  const SamplerStats& stats = facts.stats;
  std::string line = fmt::format(
      "{} in {:.1f} s from {} of {}", plural(stats.samples, "sample"), facts.duration_s(),
      plural(stats.threads, "thread"),
      stats.processes == 1 ? "1 process" : fmt::format("{} processes", stats.processes));
  line +=
      fmt::format("; {} lost, {} throttled, {:.1f} % of stacks truncated", human_count(stats.lost),
                  human_count(stats.throttled), facts.truncated_percent());
  return line;
}

/// Why a module's frames have no names, in the symbolizer's words.
std::string reason_for(const RecordingFacts& facts, std::string_view module) {
  for (const std::string& note : facts.symbol_notes) {
    if (note.starts_with(fmt::format("{}: ", module)))
      return fmt::format(" ({})", note.substr(module.size() + 2));
  }
  return {};
}

std::vector<std::string> poor_modules(const RecordingFacts& facts) {
  std::uint64_t all = 0;
  for (const ModuleCoverage& module : facts.modules) all += module.frames;
  std::vector<std::string> lines;
  for (const ModuleCoverage& module : facts.modules) {
    if (module.named_percent() >= 90 || percent_of(module.frames, all) < 1) continue;
    lines.push_back(fmt::format("{}: {:.0f} % of its frames have names{}", module.name,
                                module.named_percent(), reason_for(facts, module.name)));
  }
  return lines;
}

}  // namespace

double RecordingFacts::duration_s() const {
  return seconds(stats.duration_ns);
}
double RecordingFacts::held_ms() const {
  return static_cast<double>(stats.longest_hold_ns) / 1e6;
}
double RecordingFacts::truncated_percent() const {
  return percent_of(stats.truncated, stats.samples);
}
double RecordingFacts::lost_percent() const {
  return percent_of(stats.lost, stats.samples + stats.lost);
}

bool RecordingFacts::covers_too_little() const {
  if (stats.samples == 0) return false;
  const double noise = 4 * 100 / std::sqrt(static_cast<double>(stats.samples));
  return stats.cpu_seen_percent() < kEnoughCpuPercent - noise;
}

void measure_ourselves(RecordingFacts& facts) {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto total = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  facts.own_cpu_s = total(usage.ru_utime) + total(usage.ru_stime);
  facts.own_peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::optional<std::string> why_so_few(const RecordingFacts& facts, double rate,
                                      bool filters_threads) {
  const SamplerStats& stats = facts.stats;
  if (stats.samples >= kFewSamples) return std::nullopt;
  const double used = seconds(stats.target_cpu_ns);
  const std::string count =
      stats.samples == 0 ? "no sample" : "only " + plural(stats.samples, "sample");
  std::string text = fmt::format("{}: the target used {:.2f} s of CPU time in {:.1f} s", count,
                                 used, facts.duration_s());
  if (filters_threads && used * rate >= kFewSamples) {
    return text + ", in other threads than those of --tid and --thread";
  }
  if (used >= facts.duration_s() / 10) return text + "; record longer with -d, or faster with -F";
  return text + "; it is mostly idle or waiting: -k wall would show where";
}

std::vector<std::string> summary_lines(const RecordingFacts& facts) {
  std::vector<std::string> lines = {sample_line(facts)};
  if (facts.covers_too_little()) {
    lines.push_back(fmt::format("the samples cover {:.0f} % of the target's CPU time ({:.2f} s)",
                                facts.stats.cpu_seen_percent(),
                                seconds(facts.stats.target_cpu_ns)));
  }
  lines.push_back("engine: " + facts.engine);
  lines.push_back(
      fmt::format("hprof itself used {:.2f} s of CPU time and {}; the target was held "
                  "{:.1f} ms at most",
                  facts.own_cpu_s, human_bytes(facts.own_peak_bytes), facts.held_ms()));
  for (std::string& line : poor_modules(facts)) lines.push_back(std::move(line));
  if (!facts.files.empty()) {
    std::vector<std::string> names = facts.files;
    std::ranges::replace(names, std::string{"-"}, std::string{"standard output"});
    lines.push_back(fmt::format("wrote {}", fmt::join(names, ", ")));
  }
  return lines;
}

std::string summary_json(const RecordingFacts& facts) {
  JsonObject json;
  json.add("files", facts.files);
  json.add("samples", facts.stats.samples);
  json.add("lost", facts.stats.lost);
  json.add("throttled", facts.stats.throttled);
  json.add("truncated", facts.stats.truncated);
  json.add("duration_s", facts.duration_s());
  json.add("cpu_seen_percent", facts.stats.cpu_seen_percent());
  json.add("engine", facts.engine);
  json.add("own_cpu_s", facts.own_cpu_s);
  json.add("own_peak_bytes", facts.own_peak_bytes);
  json.add("held_ms", facts.held_ms());
  std::vector<JsonObject> modules;
  for (const ModuleCoverage& module : facts.modules) {
    JsonObject one;
    one.add("name", module.name);
    one.add("samples", module.leaves);
    one.add("frames", module.frames);
    one.add("named_percent", module.named_percent());
    modules.push_back(std::move(one));
  }
  json.add("modules", modules);
  json.add("warnings", facts.warnings);
  return json.text();
}

void add_comments(const RecordingFacts& facts, Profile& profile) {
  const SamplerStats& stats = facts.stats;
  std::vector<std::string> lines = {
      fmt::format("hprof {}", HPROF_VERSION),
      fmt::format("samples: {}", stats.samples),
      fmt::format("lost: {}", stats.lost),
      fmt::format("throttled: {}", stats.throttled),
      fmt::format("truncated: {}", stats.truncated),
      fmt::format("duration_s: {:.6f}", facts.duration_s()),
      fmt::format("cpu_seen_percent: {:.1f}", stats.cpu_seen_percent()),
      fmt::format("own_cpu_s: {:.3f}", facts.own_cpu_s),
      fmt::format("own_peak_bytes: {}", facts.own_peak_bytes),
      fmt::format("held_ms: {:.3f}", facts.held_ms()),
  };
  for (std::string& line : poor_modules(facts)) lines.push_back("module: " + std::move(line));
  for (const std::string& warning : facts.warnings) lines.push_back("warning: " + warning);
  for (const std::string& line : lines) profile.header.comments.push_back(profile.intern(line));
}

std::vector<std::string> failed_gates(const RecordingFacts& facts, bool strict,
                                      std::optional<double> max_lost) {
  std::vector<std::string> failed;
  if (max_lost && facts.lost_percent() > *max_lost) {
    failed.push_back(fmt::format("{:.2f} % of the samples were lost, --max-lost allows {} %",
                                 facts.lost_percent(), *max_lost));
  }
  if (!strict) return failed;
  if (!max_lost && facts.stats.lost > 0) {
    failed.push_back(fmt::format("{} lost", plural(facts.stats.lost, "sample")));
  }
  if (facts.truncated_percent() > kManyTruncatedPercent) {
    failed.push_back(fmt::format("{:.1f} % of the stacks are truncated, {} % are allowed",
                                 facts.truncated_percent(), kManyTruncatedPercent));
  }
  if (facts.covers_too_little()) {
    failed.push_back(fmt::format("the samples cover {:.0f} % of the target's CPU time, not {} %",
                                 facts.stats.cpu_seen_percent(), kEnoughCpuPercent));
  }
  if (facts.stats.samples < kFewSamples) {
    failed.push_back(fmt::format("{}, not {}", plural(facts.stats.samples, "sample"), kFewSamples));
  }
  return failed;
}

}  // namespace hprof::cli
