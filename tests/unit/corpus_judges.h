// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>
#include <hprof/formats/registry.h>

#include <filesystem>
#include <string>

namespace hprof::test {

enum class Outcome {
  expectation,  ///< no input but what an input is compared with
  passed,
  failed,
  unsupported,  ///< a format that hprof does not read
};

struct Verdict {
  Outcome outcome = Outcome::passed;
  std::string reason;
};

/// Reads the file `name` of the corpus `root` and says how that went.
Verdict judge(const std::filesystem::path& root, const std::string& name);

/// Reads a file with the reader that recognises it.
Result<Profile> read_any(const std::filesystem::path& path, const formats::ReadOptions& options = {});

// Judges of single origins; each is asked for the files below its folder.
Verdict judge_heaptrack(const std::filesystem::path& root, const std::string& name);
Verdict judge_names(const std::filesystem::path& root, const std::string& name);
Verdict judge_perf_data(const std::filesystem::path& root, const std::string& name);
Verdict judge_speedscope(const std::filesystem::path& root, const std::string& name);
Verdict judge_collapse_perf(const std::filesystem::path& root, const std::string& name);

/// Compares with the text of Go's profile.String(); "" if equal.
std::string compare_with_dump(const Profile& profile, const std::string& text);
Verdict judge_with_dump(const std::filesystem::path& input, const std::filesystem::path& dump);

}  // namespace hprof::test
