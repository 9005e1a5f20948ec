// SPDX-License-Identifier: Apache-2.0
// Walks profiles that other projects publish, reads each one whose format we know, and compares it
// with the result that lies beside it. Prints "origin: n passed, n failed, n unsupported".
#include "corpus_judges.h"
#include "corpus_support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace hprof::test {
namespace {

namespace fs = std::filesystem;

struct Tally {
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
};

std::vector<fs::path> all_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && entry.path().parent_path() != root) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("corpus: every file of a known format reads as its origin says") {
  const auto root = corpus_root();
  if (!root) {
    MESSAGE("skipped: no corpus at " << HPROF_SHARED << "/corpus");
    return;
  }
  std::map<std::string, Tally> table;
  for (const fs::path& file : all_files(*root)) {
    const std::string name = fs::relative(file, *root).string();
    const Verdict verdict = judge(*root, name);
    Tally& tally = table[name.substr(0, name.find('/'))];
    switch (verdict.outcome) {
      case Outcome::expectation: break;
      case Outcome::passed: ++tally.passed; break;
      case Outcome::failed:
        ++tally.failed;
        FAIL_CHECK(name << ": " << verdict.reason);
        break;
      case Outcome::unsupported:
        ++tally.unsupported;
        std::printf("  unsupported %s: %s\n", name.c_str(), verdict.reason.c_str());
        break;
    }
  }
  for (const auto& [origin, tally] : table) {
    std::printf("%s: %d passed, %d failed, %d unsupported\n", origin.c_str(), tally.passed,
                tally.failed, tally.unsupported);
  }
}

}  // namespace hprof::test
