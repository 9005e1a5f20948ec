// SPDX-License-Identifier: Apache-2.0
#include "xml_text.h"

#include "utf8_char.h"

namespace hprof::formats {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
}

// What stands for the character in XML; `bytes` if it may stand for itself.
std::string_view xml_of(const Utf8Char& c, std::string_view bytes) {
  switch (c.code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t':
    case '\n':
    case '\r': return " ";
    default: break;
  }
  const bool forbidden =
      !c.valid || c.code < 0x20 || c.code == 0x7f || c.code == 0xfffe || c.code == 0xffff;
  return forbidden ? kReplacement : bytes;
}

}  // namespace

void put_xml(TextOutput& out, std::string_view text) {
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    if (plain > 0) out.put(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Utf8Char c = first_utf8_char(text);
    out.put(xml_of(c, text.substr(0, c.size)));
    text.remove_prefix(c.size);
  }
}

void put_xml_cut(TextOutput& out, std::string_view text, std::size_t characters) {
  std::size_t end = 0;       // of what fits with dots behind it
  std::size_t at = 0;
  for (std::size_t count = 0; at < text.size(); ++count) {
    if (count == characters) {
      put_xml(out, text.substr(0, end));
      return out.put("..");
    }
    at += first_utf8_char(text.substr(at)).size;
    if (count + 3 <= characters) end = at;
  }
  put_xml(out, text);
}

}  // namespace hprof::formats
