// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

#include <hprof/core/base/result.h>

#include <span>
#include <string>

namespace hprof::cli {

/// Sets one setting from text: of several texts a list takes all, anything else the last.
/// Errors: usage, without the name of the setting, which the caller knows best.
Result<void> assign(const Setting& setting, Options& options, std::span<const std::string> texts);

/// The value in force, as assign() would read it; lists joined by commas, empty where nothing is
/// set.
std::string value_text(const Setting& setting, Options& options);

/// The value in force as a TOML value: "\"10s\"", "99", "[\"cpu\"]"; empty where nothing is set.
std::string value_toml(const Setting& setting, Options& options);

}  // namespace hprof::cli
