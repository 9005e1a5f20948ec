// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coverage.h"

#include <hprof/core/capture/capture_report.h>
#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof::cli {

/// What a recording came to: told to people, as JSON, and in the profile's comments.
struct RecordingFacts {
  std::vector<std::string> files;
  SamplerStats stats;
  std::string engine;  ///< the engine's sentence
  double own_cpu_s = 0;
  std::uint64_t own_peak_bytes = 0;
  std::vector<ModuleCoverage> modules;
  std::vector<std::string> symbol_notes;  ///< the symbolizer's, "libx.so: 3 of 4 addresses ..."
  std::vector<std::string> warnings;

  [[nodiscard]] double duration_s() const;
  [[nodiscard]] double held_ms() const;
  [[nodiscard]] double truncated_percent() const;
  /// Of all samples the kernel took, those that did not reach us.
  [[nodiscard]] double lost_percent() const;
  /// Whether the samples cover clearly less than 95 % of the target's CPU time: more than four
  /// standard deviations of their count below it.
  [[nodiscard]] bool covers_too_little() const;
};

/// CPU time and peak memory of this process so far.
void measure_ourselves(RecordingFacts& facts);

/// What makes a short recording short, and what to try; nothing from 100 samples on.
std::optional<std::string> why_so_few(const RecordingFacts& facts, double rate,
                                      bool filters_threads);

/// Lines for stderr.
std::vector<std::string> summary_lines(const RecordingFacts& facts);

/// One JSON object. Source of the names: SPEC.md section 2.
std::string summary_json(const RecordingFacts& facts);

/// The same facts as comments of a profile, but for the names of files; the engine is there
/// already.
void add_comments(const RecordingFacts& facts, Profile& profile);

/// What --strict and --max-lost object to, one line each.
std::vector<std::string> failed_gates(const RecordingFacts& facts, bool strict,
                                      std::optional<double> max_lost);

}  // namespace hprof::cli
