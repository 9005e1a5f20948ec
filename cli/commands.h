// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "settings.h"

#include <hprof/core/base/result.h>

#include <span>
#include <string_view>

namespace hprof::cli {

struct LoadedOptions;

/// What the words without a dash mean.
enum class Positional {
  none,
  targets,  ///< PIDs, into Options::target.pids; what follows "--" is Options::target.command
  files,    ///< into Options::inputs
};

/// One subcommand: one file in this folder and one row in commands.cpp.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view usage;  ///< after the name: "[PID] [options]"
  CommandSet bit = kRecord;
  Positional positional = Positional::none;
  bool reads_config = true;  ///< false: config files are its subject, not its settings
  /// Does the work. The value is the exit status; an error picks its own.
  Result<int> (*run)(Options&) = nullptr;
  /// What can be said against the settings before the work begins; may be null.
  Result<void> (*check)(const LoadedOptions&) = nullptr;
};

/// All subcommands, in the order of the help text.
std::span<const Command> all_commands();
/// By name, or nullptr.
const Command* find_command(std::string_view name);

/// The exit code of an error kind. Source: SPEC.md section 2, the one table.
int exit_code(ErrorKind kind);

/// The whole program: parses, runs, reports errors on stderr, returns the exit status.
int run_program(int argc, char** argv);

// The commands, one file each.
Result<int> run_record(Options& options);
Result<int> run_dump(Options& options);
Result<int> run_doctor(Options& options);
Result<int> run_convert(Options& options);
Result<int> run_migrate_config(Options& options);

}  // namespace hprof::cli
