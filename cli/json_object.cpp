// SPDX-License-Identifier: Apache-2.0
#include "json_object.h"

#include <fmt/format.h>

#include <cmath>

namespace hprof::cli {
namespace {

/// The length of the valid UTF-8 sequence at the front of `text`, or 0.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f)) {
    return 0;
  }
  return length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out + '"';
}

void JsonObject::add_raw(std::string_view name, std::string_view json) {
  fields_ += fmt::format("{}{}:{}", fields_.empty() ? "" : ",", json_string(name), json);
}

void JsonObject::add(std::string_view name, double value) {
  // Six digits after the point are microseconds of a second; more would be noise.
  add_raw(name, std::isfinite(value) ? fmt::format("{}", std::round(value * 1e6) / 1e6) : "null");
}

void JsonObject::add(std::string_view name, const std::vector<std::string>& values) {
  std::vector<std::string> items;
  for (const std::string& value : values) items.push_back(json_string(value));
  add_raw(name, fmt::format("[{}]", fmt::join(items, ",")));
}

void JsonObject::add(std::string_view name, const std::vector<JsonObject>& values) {
  std::vector<std::string> items;
  for (const JsonObject& value : values) items.push_back(value.text());
  add_raw(name, fmt::format("[{}]", fmt::join(items, ",")));
}

}  // namespace hprof::cli
