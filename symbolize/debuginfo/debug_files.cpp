// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debuginfo/debug_files.h"

#include "symbolize/debuginfo/debuginfod.h"
#include "symbolize/elf/decompress.h"

#include <fmt/format.h>
#include <zlib.h>

#include <sys/stat.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

std::string_view dir_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{"."} : path.substr(0, slash);
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string build_id_path(const std::string& build_id) {
  return fmt::format(".build-id/{}/{}.debug", build_id.substr(0, 2), build_id.substr(2));
}

std::uint32_t crc_of(Bytes bytes) {
  uLong crc = crc32(0, nullptr, 0);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t step = std::min<std::size_t>(bytes.size() - at, std::size_t{1} << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(step));
    at += step;
  }
  return static_cast<std::uint32_t>(crc);
}

DebugFilePtr open_with_build_id(const std::string& path, const std::string& build_id) {
  DebugFilePtr file = open_debug_file(path);
  return file && file->image.build_id() == build_id ? file : nullptr;
}

struct Debuglink {
  std::string name;
  std::uint32_t crc = 0;
};

// name, NUL, padding to 4, crc u32
std::optional<Debuglink> read_debuglink(const ElfImage& image) {
  const Bytes bytes = image.section_bytes(".gnu_debuglink");
  ByteReader r = image.reader(bytes);
  Debuglink link;
  link.name = r.c_string();
  r.skip((4 - r.position() % 4) % 4);
  link.crc = r.u32();
  // A name is one path component: anything else would lead out of the folders searched.
  if (!r.ok() || link.name.empty() || link.name.find('/') != std::string::npos) return std::nullopt;
  return link;
}

struct Altlink {
  std::string name;
  std::string build_id;
};

// .gnu_debugaltlink: name, NUL, build-id. .debug_sup: version u16, is_supplementary u8, name, NUL,
// checksum length uleb, checksum.
std::optional<Altlink> read_altlink(const ElfImage& image) {
  Altlink link;
  if (const auto data = read_section(image, ".gnu_debugaltlink"); data && !data->bytes().empty()) {
    ByteReader r = image.reader(data->bytes());
    link.name = r.c_string();
    link.build_id = to_hex(r.take(r.remaining()));
  } else if (const auto sup = read_section(image, ".debug_sup"); sup && !sup->bytes().empty()) {
    ByteReader r = image.reader(sup->bytes());
    r.skip(2);
    if (r.u8() != 0) return std::nullopt;
    link.name = r.c_string();
    link.build_id = to_hex(r.take(r.uleb()));
  }
  if (link.build_id.size() < 4) return std::nullopt;
  return link;
}

}  // namespace

DebugFilePtr open_debug_file(const std::string& path) {
  struct stat info {};
  // Names may come from a hostile file: never open a FIFO or device.
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return nullptr;
  auto file = MappedFile::open(path);
  if (!file) return nullptr;
  auto image = ElfImage::parse(file->bytes());
  if (!image) return nullptr;
  const std::string identity =
      fmt::format("{} {} {}.{}", path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  return std::make_shared<const DebugFile>(
      DebugFile{*std::move(file), *std::move(image), path, identity});
}

DebugFinder::DebugFinder(const SymbolizerOptions& options) : options_(options) {
  if (options.debuginfod) debuginfod_ = std::make_unique<Debuginfod>(options.debuginfod_budget);
}

DebugFinder::~DebugFinder() = default;

std::vector<std::string> DebugFinder::roots(const Module& module) const {
  std::vector<std::string> out;
  if (!options_.sysroot.empty()) out.push_back(options_.sysroot);
  if (module.pid != 0) out.push_back(fmt::format("{}/{}/root", options_.proc_root, module.pid));
  out.emplace_back();
  return out;
}

DebugFilePtr DebugFinder::by_build_id(const Module& module, const std::string& build_id) const {
  if (build_id.size() < 4) return nullptr;
  const std::string tail = build_id_path(build_id);
  std::vector<std::string> candidates;
  for (const std::string& dir : options_.debug_dirs) {
    candidates.push_back(dir + "/" + tail);
    candidates.push_back(dir + "/" + tail.substr(10));
    candidates.push_back(dir + module.path + ".debug");
    candidates.push_back(dir + module.path);
    candidates.push_back(fmt::format("{}/{}.debug", dir, base_name(module.path)));
    candidates.push_back(fmt::format("{}/{}", dir, base_name(module.path)));
  }
  for (const std::string& root : roots(module))
    candidates.push_back(root + "/usr/lib/debug/" + tail);
  for (const std::string& path : candidates) {
    if (DebugFilePtr file = open_with_build_id(path, build_id); file) return file;
  }
  return nullptr;
}

DebugFilePtr DebugFinder::by_debuglink(const Module& module, const ElfImage& image,
                                       const std::string& build_id) const {
  const auto link = read_debuglink(image);
  if (!link) return nullptr;
  std::vector<std::string> candidates;
  for (const std::string& dir : options_.debug_dirs) candidates.push_back(dir + "/" + link->name);
  const std::string dir(dir_name(module.path));
  for (const std::string& root : roots(module)) {
    candidates.push_back(root + dir + "/" + link->name);
    candidates.push_back(root + dir + "/.debug/" + link->name);
    candidates.push_back(root + "/usr/lib/debug" + dir + "/" + link->name);
  }
  for (const std::string& path : candidates) {
    DebugFilePtr file = open_debug_file(path);
    if (!file || file->file.bytes().data() == image.bytes().data()) continue;
    const std::string theirs = file->image.build_id();
    if (!build_id.empty() && !theirs.empty()) {
      if (theirs == build_id) return file;
      continue;
    }
    if (crc_of(file->file.bytes()) == link->crc) return file;
  }
  return nullptr;
}

DebugFilePtr DebugFinder::find_debug(const Module& module, const ElfImage* image,
                                     const std::string& build_id) const {
  if (DebugFilePtr file = by_build_id(module, build_id); file) return file;
  if (image != nullptr) {
    if (DebugFilePtr file = by_debuglink(module, *image, build_id); file) return file;
  }
  if (!debuginfod_ || build_id.empty()) return nullptr;
  const std::string path = debuginfod_->find(build_id);
  return path.empty() ? nullptr : open_with_build_id(path, build_id);
}

DebugFilePtr DebugFinder::find_image(const Module& module, const std::string& build_id) const {
  if (module.path.empty() || module.path.front() != '/') return nullptr;
  for (const std::string& root : roots(module)) {
    // Without a build-id to compare, only a sysroot that the user named is believed.
    if (build_id.empty() && (options_.sysroot.empty() || root != options_.sysroot)) continue;
    DebugFilePtr file = open_debug_file(root + module.path);
    if (file && (build_id.empty() || file->image.build_id() == build_id)) return file;
  }
  return nullptr;
}

DebugFilePtr DebugFinder::find_alt(const Module& module, const ElfImage& image,
                                   const std::string& path) const {
  const auto link = read_altlink(image);
  if (!link) return nullptr;
  std::vector<std::string> candidates;
  if (link->name.starts_with('/')) {
    for (const std::string& root : roots(module)) candidates.push_back(root + link->name);
  } else if (!link->name.empty()) {
    candidates.push_back(fmt::format("{}/{}", dir_name(path), link->name));
  }
  for (const std::string& dir : options_.debug_dirs) {
    candidates.push_back(fmt::format("{}/.dwz/{}", dir, base_name(link->name)));
    candidates.push_back(fmt::format("{}/{}", dir, base_name(link->name)));
  }
  for (const std::string& candidate : candidates) {
    if (DebugFilePtr file = open_with_build_id(candidate, link->build_id); file) return file;
  }
  if (DebugFilePtr file = by_build_id(module, link->build_id); file) return file;
  if (!debuginfod_) return nullptr;
  const std::string fetched = debuginfod_->find(link->build_id);
  return fetched.empty() ? nullptr : open_with_build_id(fetched, link->build_id);
}

DebugFilePtr DebugFinder::find_dwo(const Module& module, std::string_view comp_dir,
                                   std::string_view name) const {
  if (name.empty()) return nullptr;
  std::vector<std::string> candidates;
  for (const std::string& dir : options_.debug_dirs) {
    candidates.push_back(fmt::format("{}/{}", dir, name));
    candidates.push_back(fmt::format("{}/{}", dir, base_name(name)));
  }
  for (const std::string& root : roots(module)) {
    candidates.push_back(name.starts_with('/') ? fmt::format("{}{}", root, name)
                                               : fmt::format("{}{}/{}", root, comp_dir, name));
    candidates.push_back(fmt::format("{}{}/{}", root, dir_name(module.path), base_name(name)));
  }
  for (const std::string& path : candidates) {
    if (DebugFilePtr file = open_debug_file(path); file) return file;
  }
  return nullptr;
}

DebugFilePtr DebugFinder::find_dwp(const Module& module, const std::string& debug_path) const {
  std::vector<std::string> candidates;
  for (const std::string& dir : options_.debug_dirs) {
    candidates.push_back(fmt::format("{}/{}.dwp", dir, base_name(module.path)));
  }
  for (const std::string& root : roots(module)) candidates.push_back(root + module.path + ".dwp");
  if (!debug_path.empty()) candidates.push_back(debug_path + ".dwp");
  for (const std::string& path : candidates) {
    if (DebugFilePtr file = open_debug_file(path); file) return file;
  }
  return nullptr;
}

}  // namespace hprof::symbolize
