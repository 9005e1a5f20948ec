// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/retention.h>

#include <errno.h>
#include <sys/statvfs.h>

#include <algorithm>

namespace hprof {

std::vector<DumpFile> choose_expired(std::vector<DumpFile> files, const RetentionLimits& limits,
                                     std::int64_t now_ns, std::size_t replaced) {
  std::stable_partition(files.begin(), files.end(),
                                [now_ns](const DumpFile& f) { return f.start_ns() > now_ns; });
  std::uint64_t bytes = 0;
  for (const DumpFile& file : files) bytes += file.bytes;
  std::size_t gone = 0;
  for (; gone + 1 < files.size(); ++gone) {
    const DumpFile& oldest = files[gone];
    const bool too_many = limits.count && files.size() - gone > *limits.count;
    const bool too_old = limits.age && oldest.end_ns < now_ns &&
                         std::chrono::nanoseconds{now_ns - oldest.end_ns} > *limits.age;
    const bool too_large = limits.bytes && bytes > *limits.bytes;
    if (!too_many && !too_old && !too_large && gone >= replaced) break;
    bytes -= oldest.bytes;
  }
  files.resize(gone);
  return files;
}

Result<FreeSpace> free_space(const std::string& folder) {
  struct statvfs info = {};
  if (::statvfs(folder.c_str(), &info) != 0) return system_error(errno, folder);
  return FreeSpace{info.f_bavail * info.f_frsize, info.f_blocks * info.f_frsize};
}

bool below_floor(const FreeSpace& space, const FreeFloor& floor) {
  const double percent = static_cast<double>(space.total) * floor.percent / 100;
  return space.free < floor.bytes || static_cast<double>(space.free) < percent;
}

}  // namespace hprof
