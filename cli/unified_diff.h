// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hprof::cli {

/// The unified diff of two texts that differ in one place (an edit of one spot): one hunk with
/// three lines of context, as patch(1) takes it; empty if they are equal. Texts that differ in
/// several places give one hunk that spans them all: correct, only longer.
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name, std::string_view after_name);

}  // namespace hprof::cli
