// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "output_file.h"

#include <hprof/core/capture/cpu_sampler.h>
#include <hprof/core/capture/unwinder.h>
#include <hprof/core/target/selector.h>
#include <hprof/symbolize/symbolizer.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hprof::cli {

// From what a user set to what core and symbolize take; for every command that captures.

/// What the engine is told. Errors: usage where a value cannot be.
Result<SamplerOptions> sampler_options(const Options& options);

std::unique_ptr<Unwinder> unwinder_for(const CaptureOptions& options);
std::unique_ptr<Symbolizer> symbolizer_for(const Options& options);

/// Whether any target is named at all.
bool names_a_target(const TargetOptions& options);

/// The processes a user means, found or started.
struct ChosenTargets {
  std::vector<ProcessInfo> processes;      ///< empty for --system and for a command
  std::optional<LaunchedCommand> command;  ///< waits for CpuSampler::start()
  ThreadFilter threads;
  bool children = false;
  bool system = false;
  std::string command_name;  ///< of the command

  /// As the sampler takes it. Lifetime: borrows this object.
  [[nodiscard]] SamplerTargets for_sampler();
  /// "redis-server (4242)", "3 processes", "the whole system": for messages.
  [[nodiscard]] std::string sentence() const;
  /// %p and %n of file names.
  [[nodiscard]] NameFields name_fields() const;
};

/// Finds the processes that the options name, waiting for them with --wait, or forks the command.
/// `cancelled` is asked while waiting.
/// Errors: usage (none or several ways to name a target, several matches), target_gone, permission.
Result<ChosenTargets> choose_targets(const TargetOptions& options,
                                     const std::function<bool()>& cancelled);

}  // namespace hprof::cli
