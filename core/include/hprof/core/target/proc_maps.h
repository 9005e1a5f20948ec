// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// One line of /proc/PID/maps. Source: proc(5).
struct MapsEntry {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  bool readable = false;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  std::uint64_t file_offset = 0;
  std::uint32_t device_major = 0;
  std::uint32_t device_minor = 0;
  std::uint64_t inode = 0;
  std::string path;      ///< unescaped, without " (deleted)"; "[vdso]" and the like; or empty
  bool deleted = false;
};

/// One line, or nothing if it does not follow the format.
std::optional<MapsEntry> parse_maps_line(std::string_view line);

/// Every well-formed line; the others are skipped and counted in `skipped` if it is given.
std::vector<MapsEntry> parse_maps(std::string_view text, std::size_t* skipped = nullptr);

}  // namespace hprof
