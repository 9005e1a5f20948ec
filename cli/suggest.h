// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::cli {

/// How many letters must be added, dropped, changed or swapped to make `a` of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name nearest to `word`, or an empty view where none is near enough to be meant.
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

/// ", did you mean NAME" for the nearest name, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace hprof::cli
