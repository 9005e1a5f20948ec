// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::cli {

/// How well the frames of one module have names.
struct ModuleCoverage {
  std::string name;          ///< base name of the file
  std::uint64_t frames = 0;  ///< in all samples
  std::uint64_t named = 0;   ///< of these, with a function
  std::uint64_t leaves = 0;  ///< samples whose innermost frame lies here

  [[nodiscard]] double named_percent() const {
    return frames == 0 ? 100.0 : 100.0 * static_cast<double>(named) / static_cast<double>(frames);
  }
};

/// Coverage of each module, the one with most frames first. Mappings of one file count as one.
/// Value column 0 weighs the samples. The C library's frames between a thread's root and the
/// program's code are left out, they rarely have names and nobody misses those.
std::vector<ModuleCoverage> module_coverage(const Profile& profile);

}  // namespace hprof::cli
