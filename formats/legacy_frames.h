// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof::formats {

/// Regular expressions of frames that are of the profiler itself.
struct LegacyFrames {
  std::string_view drop;
  std::string_view keep;
};

/// By sample types (type, unit), for texts that cannot carry their own.
/// Source: google/pprof, profile/legacy_profile.go, addLegacyFrameInfo.
LegacyFrames legacy_frames(const std::vector<std::pair<std::string, std::string>>& types);

}  // namespace hprof::formats
