// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "load_options.h"

#include <hprof/core/services/dump_config.h>

namespace hprof::cli {

/// What the options say of the rolling history. Lists have one item for all kinds or one for each.
/// Errors: usage; of lists of unequal length it names both lengths.
Result<DumpConfig> dump_config_of(const Options& options);

/// "5%" of the file system, or a size. Errors: usage.
Result<FreeFloor> parse_free_floor(std::string_view text);

/// As dump_config_of(), for a check before anything begins: a mistake that a config file alone made
/// is malformed_input. Source: SPEC.md section 7.
Result<void> check_dump_options(const LoadedOptions& loaded);

}  // namespace hprof::cli
