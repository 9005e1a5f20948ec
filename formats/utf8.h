// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hprof::formats {

/// Whether `text` is well-formed UTF-8 (no surrogates, nothing overlong, at most U+10FFFF).
bool is_utf8(std::string_view text);

/// `text` with each byte that is no part of a well-formed character replaced by U+FFFD.
std::string to_utf8(std::string_view text);

}  // namespace hprof::formats
