// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "load_options.h"

#include <string>

namespace hprof::cli {

/// The effective config of a command as TOML, the origin of each value behind it as a comment; a setting without
/// a value is a comment itself. Settings that are flags only follow as comments where they are set.
std::string print_config(const Command& command, LoadedOptions& loaded);

}  // namespace hprof::cli
