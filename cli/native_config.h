// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harmony_config.h"

#include <hprof/core/base/result.h>

#include <string>
#include <string_view>

namespace hprof::cli {

/// The version of hprof.toml that this program writes and reads; older ones are brought forward.
inline constexpr std::int64_t kNativeConfigVersion = 1;

/// The same settings as a harmony.conf, as an hprof.toml; what had to be changed for that goes to
/// `warnings`, one line each.
std::string native_config_of(const HarmonyConfig& config, const std::string& name,
                             std::vector<std::string>& warnings);

/// An hprof.toml brought to the newest version: every byte that is there stays.
/// Errors: malformed_input for bad TOML, a version of another type, or one newer than ours.
Result<std::string> migrate_native_config(std::string_view text, const std::string& name);

/// Every setting that a config can have, as a comment with its default and what it means.
std::string default_native_config();

}  // namespace hprof::cli
