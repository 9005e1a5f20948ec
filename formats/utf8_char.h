// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hprof::formats {

/// The character at the front of a text: its code point, how many bytes it takes, and whether these
/// are valid UTF-8. An invalid byte counts as one character of one byte.
struct Utf8Char {
  std::uint32_t code = 0xfffd;
  std::size_t size = 1;
  bool valid = false;
};

/// `text` must not be empty. Overlong forms, surrogates and code points beyond U+10FFFF are invalid.
inline Utf8Char first_utf8_char(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || size > text.size()) return {};
  std::uint32_t code = first & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, size, true};
}

}  // namespace hprof::formats
