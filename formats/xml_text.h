// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_output.h"

#include <string_view>

namespace hprof::formats {

/// Puts `text` as XML 1.0 character data or attribute value: markup escaped, and what XML forbids
/// (control characters, U+FFFE, U+FFFF, broken UTF-8) replaced by U+FFFD.
void put_xml(TextOutput& out, std::string_view text);

/// Puts at most `characters` characters, the last two being ".." where something is cut off.
void put_xml_cut(TextOutput& out, std::string_view text, std::size_t characters);

}  // namespace hprof::formats
