// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace hprof::testing {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Compares with tests/data/`name`; HPROF_UPDATE_GOLDEN=1 rewrites the file instead.
inline void check_golden(std::string_view name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path{HPROF_TEST_DATA} / name;
  if (getenv("HPROF_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary} << text;
  }
  INFO("golden file ", path.string());
  CHECK(read_text(path) == text);
}

}  // namespace hprof::testing
