// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands.h"

#include <string>
#include <string_view>

namespace hprof::cli {

/// The page hprof(1), in man(7) macros. `prose` is put behind the list of commands.
std::string program_page(std::string_view prose);

/// The page hprof-COMMAND(1). `prose` is put between SYNOPSIS and OPTIONS; if empty, the command's
/// summary is the description. Everyday flags are in OPTIONS, the others in the last section.
std::string command_page(const Command& command, std::string_view prose);

}  // namespace hprof::cli
