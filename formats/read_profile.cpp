// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/registry.h>

#include "decompress.h"
#include "detect.h"
#include "looks_like.h"
#include "text_encoding.h"

#include <fmt/format.h>

namespace hprof::formats {
namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;

bool ends_with_extension(std::string_view path, std::string_view extension) {
  return path.size() > extension.size() && path.ends_with(extension) &&
         path[path.size() - extension.size() - 1] == '.';
}

std::string_view without_wrapper(std::string_view path) {
  for (const std::string_view wrapper : {".gz", ".zst", ".xz"}) {
    if (path.ends_with(wrapper)) return path.substr(0, path.size() - wrapper.size());
  }
  return path;
}

// The readable format with the longest extension that fits.
const Format* format_by_extension(std::string_view path) {
  const Format* best = nullptr;
  std::size_t length = 0;
  for (const Format& format : all_formats()) {
    if (format.read == nullptr) continue;
    for (const std::string_view extension : format.extensions) {
      if (extension.size() > length && (ends_with_extension(path, extension) ||
                                        ends_with_extension(without_wrapper(path), extension))) {
        best = &format;
        length = extension.size();
      }
    }
  }
  return best;
}

}  // namespace

// Content first: the surest sniffer, the first of equals. The extension decides between sniffers
// that are equally sure, and where none is more than guessing.
const Format* detect_format(const SniffInput& input, std::string_view path) {
  const Format* named = format_by_extension(path);
  const Format* best = nullptr;
  Sniff surest = Sniff::no;
  for (const Format& format : all_formats()) {
    if (format.read == nullptr || format.sniff == nullptr) continue;
    const Sniff sure = format.sniff(input);
    if (sure > surest || (sure == surest && sure != Sniff::no && &format == named)) {
      best = &format;
      surest = sure;
    }
  }
  return surest <= Sniff::possible && named != nullptr ? named : best;
}

namespace {

Error unknown_input(Bytes head) {
  return {ErrorKind::malformed_input,
          fmt::format("no profile format that is known here; it looks like {}", looks_like(head)),
          "name the format with --input-format; known: " + known_formats(false)};
}

}  // namespace

Result<Profile> read_profile(ByteSource& source, std::string_view path, const Format* format,
                             const ReadOptions& options, const Format** found) {
  HPROF_ASSIGN(const std::unique_ptr<UnwrappedSource> unwrapped,
               UnwrappedSource::open(source, options.limits, options.notes));
  HPROF_ASSIGN(const Bytes start, unwrapped->peek(kHead));
  const std::unique_ptr<ByteSource> utf8 = make_utf8_source(start, *unwrapped);
  PeekSource content{utf8 ? *utf8 : static_cast<ByteSource&>(*unwrapped)};
  HPROF_ASSIGN(const Bytes head, content.peek(kHead));
  if (format == nullptr) {
    if (head.empty()) return Error{ErrorKind::malformed_input, "the input is empty", {}};
    format = detect_format({.head = head, .whole = head.size() < kHead}, path);
  }
  if (format == nullptr) return unknown_input(head);
  if (found != nullptr) *found = format;
  return format->read(content, options);
}

}  // namespace hprof::formats
