// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>

#include <chrono>
#include <string>
#include <vector>

// hprof in three lines:
//
//     auto profile = hprof::record_cpu({.pids = {4242}, .duration = 10s});
//     if (profile) auto saved = hprof::save_profile(*profile, "cpu.pb.gz");
//
// For more, use what this is made of: CpuSampler and Symbolizer (core, symbolize) and the registry
// of formats.
namespace hprof {

/// Which CPU profile to take.
struct CpuRequest {
  std::vector<int> pids = {};  ///< at least one
  std::chrono::nanoseconds duration = std::chrono::seconds{10};
  double rate = 99;       ///< samples a second of CPU time
  bool children = false;  ///< also descendants, present and future
  bool symbolize = true;  ///< false: addresses only
};

/// Records the CPU time of running processes and names the functions. Blocks for `duration`, or
/// until every process has ended. A process without CPU time yields a profile without samples.
/// Errors: target_gone, permission, unsupported: the sentence says what would help.
Result<Profile> record_cpu(const CpuRequest& request);

/// Writes a profile in the format that the extension of `path` names. The file has its name only
/// when it is whole. Errors: usage for an unknown extension, else what the kernel says.
Result<void> save_profile(const Profile& profile, const std::string& path);

/// Reads a profile in any format hprof knows.
/// Errors: malformed_input with format, place and reason, else what the kernel says.
Result<Profile> load_profile(const std::string& path);

}  // namespace hprof
