// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands.h"

#include <string>

namespace hprof::cli {

/// Which tier of flags a text speaks of.
enum class Tier { everyday, all };

/// "-F, -r, --rate HZ": the flags of a setting with its placeholder.
std::string flag_text(const Setting& setting);

/// The value a setting has when nobody sets it, or an empty text where that says nothing.
std::string default_text(const Setting& setting);

/// The text of `hprof --help`.
std::string program_help();

/// The text of `hprof COMMAND --help`, or of --help-advanced.
std::string command_help(const Command& command, Tier tier);

}  // namespace hprof::cli
