// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"

#include <hprof/core/profile/profile.h>

#include <string>
#include <vector>

namespace hprof::cli {

/// Names the locations of a recorded profile that are addresses only, by the files its mappings
/// name: below --sysroot and --debug-dir, else at their paths here. A file with another build-id is
/// never used; where the profile has none, the file at the path is believed, and said so.
/// `notes` hears of modules with few names.
void symbolize_profile(Profile& profile, const SymbolOptions& options,
                       std::vector<std::string>& notes);

}  // namespace hprof::cli
