// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"
#include "toml_text.h"

#include <span>
#include <string>
#include <vector>

namespace hprof::cli {

/// A TOML value as the texts that assign() takes. Durations are strings or whole seconds, sizes
/// strings or bytes, percentages strings or numbers; rates and counts are numbers, switches
/// booleans; a list may be given as its one item.
/// Errors: malformed_input "must be …, not …", without key and place.
Result<std::vector<std::string>> config_texts(const Setting& setting, const toml::node& node);

/// assign() for what a file says: an empty list empties the setting.
Result<void> set_from_config(const Setting& setting, std::span<const std::string> texts,
                             Options& options);

}  // namespace hprof::cli
