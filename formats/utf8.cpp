// SPDX-License-Identifier: Apache-2.0
#include "utf8.h"

#include <string.h>

#include <cstdint>

namespace hprof::formats {
namespace {

bool is_tail(unsigned byte) { return (byte & 0xc0) == 0x80; }

// Length of the well-formed character at `at`, 0 if there is none. Source: Unicode 15, table 3-7.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[at + i])) : 0U;
  };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return is_tail(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && is_tail(byte(2)) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high && is_tail(byte(2)) && is_tail(byte(3)) ? 4 : 0;
  }
  return 0;
}

// Length of the ASCII run at the front, eight bytes at a time.
std::size_t ascii_run(std::string_view text, std::size_t from) {
  std::size_t at = from;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080ULL) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at - from;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t ascii = ascii_run(text, at);
    at += ascii;
    if (at == text.size()) return true;
    const std::size_t length = character_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

}  // namespace hprof::formats
