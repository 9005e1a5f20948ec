// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands.h"

#include <string_view>
#include <vector>

namespace hprof::cli {

/// "-F", "-r", "--rate" of a setting.
std::vector<std::string_view> flag_names(const Setting& setting);

/// What a flag's value is, for completion.
enum class ValueKind { none, words, file, folder, pid, anything };
ValueKind value_kind(const Setting& setting);

/// Whether --help of `command` shows the setting, or --help-advanced only.
bool is_in_tier(const Setting& setting, const Command& command, Visibility visibility);

}  // namespace hprof::cli
