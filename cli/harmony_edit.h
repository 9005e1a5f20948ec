// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harmony_config.h"

#include <string>
#include <string_view>

namespace hprof::cli {

/// The text of a harmony.conf with the keys that `config` misses put into its [Pprof] section,
/// wherever and however that is written, or with a new section at the end. Every byte of `text` is
/// in the result, in its order; line ends and indentation follow the file.
/// The result was read again and found to say the same plus the defaults.
/// Errors: failed if that check does not hold; nothing must be written then.
Result<std::string> complete_harmony_config(std::string_view text, const HarmonyConfig& config,
                                            const std::string& name);

}  // namespace hprof::cli
