// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.h"

#include <map>
#include <string>
#include <vector>

namespace hprof::cli {

/// Variables of the process, as handed in: tests bring their own.
using Environment = std::map<std::string, std::string, std::less<>>;

/// A copy of the variables of this process.
Environment process_environment();

/// Everything a user has set, and where each value comes from.
struct LoadedOptions {
  Options options;
  /// For settings that are not at their default: "flag", "HPROF_RECORD_RATE", "app.toml:3".
  std::map<const Setting*, std::string> origins;
  /// Things a user should know, one line each: a config file that was not read, an old format.
  std::vector<std::string> notices;
};

/// Options of `command` from defaults, config files, variables and flags, the later ones winning.
/// Errors: usage for flags and variables, malformed_input for config files.
Result<LoadedOptions> load_options(const Command& command, const Arguments& arguments,
                                   const Environment& environment);

}  // namespace hprof::cli
