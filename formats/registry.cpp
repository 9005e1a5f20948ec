// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/registry.h>

#include <hprof/formats/pprof.h>

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

constexpr std::array<std::string_view, 5> kPprofExtensions = {"pb.gz", "pb", "pprof", "prof",
                                                              "pprof.gz"};

// Order of detection: signatures first, then JSON by its keys, text by its lines, and what has no
// signature at all last. Source: reference/formats.md B4.
constexpr Format kFormats[] = {
    {.name = "pprof",
     .extensions = kPprofExtensions,
     .summary = "profile.proto of google/pprof and Go, gzip-compressed",
     .sniff = sniff_pprof,
     .read = read_pprof,
     .write = write_pprof,
     .binary = true},
};

bool has_extension(std::string_view path, std::string_view extension) {
  return path.size() > extension.size() && path.ends_with(extension) &&
         path[path.size() - extension.size() - 1] == '.';
}

}  // namespace

std::span<const Format> all_formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  const auto* found = std::ranges::find(kFormats, name, &Format::name);
  return found == std::end(kFormats) ? nullptr : found;
}

const Format* format_for_output(std::string_view path) {
  const Format* best = nullptr;
  std::size_t length = 0;
  for (const Format& format : kFormats) {
    if (format.write == nullptr) continue;
    for (const std::string_view extension : format.extensions) {
      if (extension.size() > length && has_extension(path, extension)) {
        best = &format;
        length = extension.size();
      }
    }
  }
  return best;
}

std::string known_formats(bool writable) {
  std::string names;
  for (const Format& format : kFormats) {
    if (writable ? format.write == nullptr : format.read == nullptr) continue;
    if (!names.empty()) names += ", ";
    names += format.name;
  }
  return names;
}

}  // namespace hprof::formats
