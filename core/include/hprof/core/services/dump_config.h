// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/atomic_file.h>
#include <hprof/core/profile/profile_writer.h>
#include <hprof/core/services/retention.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// How one kind is dumped.
struct DumpKind {
  std::string kind;
  std::chrono::nanoseconds interval = std::chrono::minutes{10};  ///< 0: only at the end
  int debug = 0;  ///< 0: pprof; 1, 2: Go's text. Kinds that Go has no text of stay pprof
  RetentionLimits limits = kDefaultLimits;
};

/// What a dump service does; may change while it runs.
struct DumpConfig {
  std::string folder = "./profiles";
  std::vector<DumpKind> kinds;
  FreeFloor floor = kDefaultFloor;
  std::string status_file;          ///< empty: none
  std::optional<FileOwner> owner;   ///< of files and of a folder that is made
};

/// The encodings of the debug levels. Borrowed; a null text level falls back to `proto`.
struct DumpFormats {
  const ProfileWriter* proto = nullptr;
  std::array<const ProfileWriter*, 2> text = {};
};

/// Errors: usage for an empty folder, no kind, an unknown or repeated one, a negative interval, a
/// debug level that is not 0, 1 or 2.
Result<void> check_dump_config(const DumpConfig& config);

}  // namespace hprof
