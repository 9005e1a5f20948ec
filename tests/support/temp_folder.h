// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hprof::test {

/// A folder of a test's own; gone with it.
class TempFolder {
 public:
  TempFolder() {
    char name[] = "/tmp/hprof-test-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream{path(name)} << text;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{path_, ignored}) {
      out.push_back(entry.path().filename().native());
    }
    std::ranges::sort(out);
    return out;
  }

 private:
  std::string path_;
};

}  // namespace hprof::test
