// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "load_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace hprof::cli {

/// Where settings are read from, the weakest first: /etc/hprof/hprof.toml, the user's folder
/// ($XDG_CONFIG_HOME or ~/.config), ./hprof.toml. With --config only that file.
std::vector<std::string> config_paths(const std::string& config_flag,
                                      const Environment& environment);

/// Applies every config file that is there. One that --config names must be there; the others may
/// be missing, and ./hprof.toml is passed over, with a notice, where another user could have put
/// it. Errors: malformed_input "file:line:column: key: what", failed or permission where a file
/// cannot be read.
Result<void> apply_config_files(const std::string& config_flag, const Environment& environment,
                                LoadedOptions& loaded);

/// Applies the text of one config file: an hprof.toml or a harmony.conf. `name` is for messages.
Result<void> apply_config_text(std::string_view text, const std::string& name,
                               LoadedOptions& loaded);

}  // namespace hprof::cli
