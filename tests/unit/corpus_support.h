// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::test {

/// The folder of other projects' profiles, or nullopt where it is absent.
std::optional<std::filesystem::path> corpus_root();

/// The bytes of a file; gzip is unpacked.
std::string read_file(const std::filesystem::path& path);

/// Stacks by their names, root first and joined by ';', with the sum of one value column.
using Folded = std::map<std::string, std::int64_t>;
Folded fold(const Profile& profile, std::size_t type);
/// The same from the text of a collapser.
Folded parse_folded(std::string_view text);

/// The first few lines in which two results differ, or "".
std::string difference(const Folded& expected, const Folded& found);

}  // namespace hprof::test
