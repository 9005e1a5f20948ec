// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// The name of a dumped file: `<kind>.<unix seconds>.<pid>.pb.gz`, `.txt` for text; `-2`, `-3` ...
/// behind the pid where that name was taken. Source: SPEC.md section 4.
struct DumpName {
  std::string kind;
  std::int64_t start_s = 0;  ///< when the window began, seconds since 1970 UTC
  int pid = 0;               ///< 0: the whole system
  unsigned sequence = 1;     ///< 1 has no suffix
  bool text = false;

  [[nodiscard]] std::string format() const;
};

/// The parts of a name, if it is exactly as format() makes it, with a kind that hprof knows.
std::optional<DumpName> parse_dump_name(std::string_view name);

/// One file of a dump folder.
struct DumpFile {
  std::string path;
  DumpName name;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  /// When the window ended, as far as the folder tells: the next window of this kind and pid begins
  /// then, or the file was written then, whichever is earlier. The profile itself knows exactly.
  std::int64_t end_ns = 0;

  [[nodiscard]] std::int64_t start_ns() const { return name.start_s * 1'000'000'000; }
};

/// Which files of a folder are meant; empty members mean all.
struct DumpFilter {
  std::vector<std::string> kinds;
  std::optional<int> pid;
  /// A window counts when it overlaps [since, until], ns since 1970 UTC.
  std::optional<std::int64_t> since_ns;
  std::optional<std::int64_t> until_ns;
};

/// The files in `folder` that hprof dumped and `filter` means, by start, pid, sequence.
/// Errors: as opening the folder.
Result<std::vector<DumpFile>> find_dump_files(const std::string& folder, const DumpFilter& filter);

}  // namespace hprof
