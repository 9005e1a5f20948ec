// SPDX-License-Identifier: Apache-2.0
#include "module_file.h"

#include <hprof/core/target/process_memory.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace hprof {
namespace {

/// Opens a regular file; looks before it opens, because opening a device can do things.
Result<ModuleFile> open_regular(const std::string& path) {
  ModuleFile file;
  if (::stat(path.c_str(), &file.status) != 0) {
    const int reason = errno;
    return system_error(reason, fmt::format("cannot open {}", path));
  }
  if (!S_ISREG(file.status.st_mode)) {
    return Error{ErrorKind::unsupported, fmt::format("{} is not a regular file", path), {}};
  }
  file.fd = UniqueFd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!file.fd.valid() || ::fstat(file.fd.get(), &file.status) != 0) {
    const int reason = errno;
    return system_error(reason, fmt::format("cannot open {}", path));
  }
  return file;
}

bool same_inode(const struct stat& status, const MapsEntry& entry) {
  return status.st_ino == entry.inode && major(status.st_dev) == entry.device_major &&
         minor(status.st_dev) == entry.device_minor;
}

/// Whether the process has mapped what the file holds: its code is compared, which nobody changes.
bool same_bytes(const ModuleFile& file, int pid, const MapsEntry& entry) {
  std::array<std::byte, 4096> mapped{};
  std::array<std::byte, 4096> stored{};
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(entry.end - entry.start, mapped.size()));
  const std::size_t got = ProcessMemory{pid}.read(entry.start, std::span{mapped}.first(size));
  const ssize_t have = ::pread(file.fd.get(), stored.data(), got,
                               static_cast<off_t>(entry.file_offset));
  // Where a file ends inside the page the rest of the mapping is zero.
  return got == size && have > 0 && std::ranges::equal(mapped, stored);
}

}  // namespace

Result<ModuleFile> find_module_file(const ProcFs& proc, int pid, const MapsEntry& entry) {
  const std::string range = fmt::format("map_files/{:x}-{:x}", entry.start, entry.end);
  Result<ModuleFile> by_range = open_regular(proc.path(pid, range));
  if (by_range) return by_range;
  const std::array candidates{proc.path(pid, "exe"), proc.path(pid, "root") + entry.path,
                              entry.path};
  bool replaced = false;
  Error last{ErrorKind::failed, {}, {}};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Result<ModuleFile> file = open_regular(candidates[i]);
    if (!file) {
      last = file.error();
      continue;
    }
    // /proc/PID/exe is usually another file: only its inode tells.
    const bool by_name = i > 0;
    if (same_inode(file->status, entry) || (by_name && same_bytes(*file, pid, entry))) {
      file->at_path = by_name;
      return file;
    }
    replaced = replaced || by_name;
  }
  if (replaced) {
    return Error{ErrorKind::failed, fmt::format("{} was replaced since it was mapped", entry.path),
                 {}};
  }
  return last;
}

}  // namespace hprof
