// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_output.h"

#include <string>
#include <string_view>

namespace hprof::formats {

/// Puts a JSON string with its quotes. Broken UTF-8 becomes U+FFFD; `</` is written `<\/`, so that
/// the text may stand inside an HTML script element.
void put_json(TextOutput& out, std::string_view text);

/// The same as a string of its own.
std::string json_text(std::string_view text);

}  // namespace hprof::formats
