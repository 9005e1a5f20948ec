// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/dump_file.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// How much free space must stay: so many per cent of the file system, or so many bytes.
struct FreeFloor {
  double percent = 0;
  std::uint64_t bytes = 0;
};

/// Bounds of the history of one kind; an absent one does not bound.
struct RetentionLimits {
  std::optional<std::uint64_t> count;
  std::optional<std::chrono::nanoseconds> age;  ///< since the window ended
  std::optional<std::uint64_t> bytes;
};

/// The default: 7 days, 1 GiB for each kind, 5 % free.
inline constexpr RetentionLimits kDefaultLimits{
    std::nullopt, std::chrono::hours{7 * 24}, std::uint64_t{1} << 30};
inline constexpr FreeFloor kDefaultFloor{5, 0};

/// Which of the files of one kind have to go, oldest first. The newest never goes. Files whose
/// window begins after `now_ns` (the clock was set back since) count as the oldest of all.
/// `replaced` is how many were just written below the free-space floor: as many of the oldest
/// others go for them.
std::vector<DumpFile> choose_expired(std::vector<DumpFile> files, const RetentionLimits& limits,
                                     std::int64_t now_ns, std::size_t replaced);

/// Free bytes an unprivileged program may use, and the size of the file system.
struct FreeSpace {
  std::uint64_t free = 0;
  std::uint64_t total = 0;
};
/// Errors: as statvfs(3).
Result<FreeSpace> free_space(const std::string& folder);

/// Whether the free space is under the floor.
bool below_floor(const FreeSpace& space, const FreeFloor& floor);

}  // namespace hprof
