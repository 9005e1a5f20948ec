// SPDX-License-Identifier: Apache-2.0
#include "looks_like.h"

#include "utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::formats {
namespace {

struct Signature {
  std::string_view magic;
  std::string_view what;
  std::size_t offset = 0;
};

constexpr Signature kSignatures[] = {
    {"\x7f"
     "ELF",
     "an ELF binary, not a profile of one"},
    {"\x89PNG", "a PNG image"},
    {"\xff\xd8\xff", "a JPEG image"},
    {"GIF8", "a GIF image"},
    {"%PDF", "a PDF document"},
    {"PK\x03\x04", "a zip archive: unpack it first"},
    {"ustar", "a tar archive: unpack it first", 257},
    {"BZh", "bzip2 data: unpack it first"},
    {"LZIP", "lzip data: unpack it first"},
    {"\x04\x22\x4d\x18", "lz4 data: unpack it first"},
    {"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it first"},
    {"SQLite format 3", "a SQLite database"},
    {"JAVA PROFILE 1.0", "a Java heap dump; its CPU samples exist as text only"},
    {"PERFFILE", "a perf.data file of 2009's first format"},
    {"SIMPLEPERF", "a simpleperf recording: use `simpleperf report-sample --protobuf` or a script"},
    {"version https://git-lfs", "a Git LFS pointer, not the file itself"},
    {"HTTP/1.", "an HTTP response with its headers"},
    {"!<arch>", "a static library"},
    {"\xca\xfe\xba\xbe", "a Java class or Mach-O file"},
    {"#!", "a script"},
};

std::string_view trim_front(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

bool starts_with_nocase(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && std::ranges::equal(text.substr(0, lower.size()), lower, {},
                                                           [](char c) {
                                                             return c >= 'A' && c <= 'Z'
                                                                        ? static_cast<char>(c + 32)
                                                                        : c;
                                                           });
}

bool is_text(std::string_view head) {
  // The head may end within a character.
  const std::string_view most = head.substr(0, head.size() - std::min<std::size_t>(head.size(), 4));
  return !std::ranges::any_of(head, [](char c) { return c >= 0 && c < 9; }) &&
         (is_utf8(most) || is_utf8(head.substr(0, head.find('\n'))));
}

std::string first_line(std::string_view text) {
  std::string line{text.substr(0, text.find_first_of("\r\n"))};
  constexpr std::size_t kShown = 60;
  if (line.size() > kShown) line = to_utf8(line.substr(0, kShown)) + "...";
  return line;
}

}  // namespace

std::string looks_like(Bytes head) {
  const std::string_view bytes = as_text(head);
  if (bytes.empty()) return "an empty file";
  for (const Signature& s : kSignatures) {
    if (bytes.size() >= s.offset && bytes.substr(s.offset).starts_with(s.magic)) {
      return std::string{s.what};
    }
  }
  const std::string_view text = trim_front(bytes);
  if (text.empty()) return "blank space";
  if (starts_with_nocase(text, "<!doctype html") || starts_with_nocase(text, "<html")) {
    return "an HTML page (a server's error page?)";
  }
  if (text.starts_with("<svg") || text.find("<svg") < 1024) {
    return "an SVG image, but no flame graph that is known here";
  }
  if (text.starts_with("<?xml") || text.starts_with('<')) return "XML of no known profile format";
  if (!is_text(text)) return "binary data";
  if (text.starts_with('{') || text.starts_with('[')) return "JSON of no known profile format";
  return fmt::format("text: '{}'", first_line(text));
}

}  // namespace hprof::formats
