// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hprof::cli {

/// What a command line says of one command, before anything is believed.
struct Arguments {
  bool help = false;
  bool help_advanced = false;
  std::vector<std::pair<const Setting*, std::vector<std::string>>> flags;  ///< given ones only
  std::vector<std::string> words;                                          ///< without a dash
  std::vector<std::string> command;  ///< after "--", for commands that take a target
};

/// Reads the words after the command's name.
/// Errors: usage, with the nearest flag where one is unknown.
Result<Arguments> parse_arguments(const Command& command, std::span<const std::string> args);

}  // namespace hprof::cli
