// SPDX-License-Identifier: Apache-2.0
#include "json_text.h"

#include "utf8_char.h"

namespace hprof::formats {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '/';
}

void put_special(TextOutput& out, const Utf8Char& c, std::string_view bytes, char before) {
  if (!c.valid) return out.put("\\ufffd");
  switch (c.code) {
    case '"': return out.put("\\\"");
    case '\\': return out.put("\\\\");
    case '\n': return out.put("\\n");
    case '\t': return out.put("\\t");
    case '/': return out.put(before == '<' ? "\\/" : "/");
    default: break;
  }
  // U+2028 and U+2029 end a line in JavaScript.
  if (c.code < 0x20 || c.code == 0x7f || c.code == 0x2028 || c.code == 0x2029) {
    return out.format("\\u{:04x}", c.code);
  }
  out.put(bytes);
}

}  // namespace

void put_json(TextOutput& out, std::string_view text) {
  out.put('"');
  char before = 0;
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    if (plain > 0) {
      out.put(text.substr(0, plain));
      before = text[plain - 1];
      text.remove_prefix(plain);
      continue;
    }
    const Utf8Char c = first_utf8_char(text);
    put_special(out, c, text.substr(0, c.size), before);
    before = text[c.size - 1];
    text.remove_prefix(c.size);
  }
  out.put('"');
}

std::string json_text(std::string_view text) {
  StringSink sink;
  TextOutput out{sink};
  put_json(out, text);
  return out.finish() ? sink.take() : std::string{};
}

}  // namespace hprof::formats
