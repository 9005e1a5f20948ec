// SPDX-License-Identifier: Apache-2.0
// heaptrack's stated totals; inferno's results for DTrace and VTune text.
#include "corpus_judges.h"
#include "corpus_support.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::test {
namespace {

namespace fs = std::filesystem;

struct HeapTotals {
  std::string_view file;
  std::int64_t allocations;
  std::int64_t temporary;
  std::int64_t peak;
};
// Source: README.md of the corpus, from heaptrack's own tests.
constexpr HeapTotals kTotals[] = {{"v1.18594", 2896, 729, 996970},
                                  {"embedded_lsan", 5, 0, 72714},
                                  {"heaptrack_gui", 278534, 35481, 12222213}};

}  // namespace

Verdict judge_heaptrack(const fs::path& root, const std::string& name) {
  const auto profile = read_any(root / name);
  if (!profile) return {Outcome::failed, profile.error().message};
  for (const HeapTotals& totals : kTotals) {
    if (name.find(totals.file) == std::string::npos) continue;
    const std::string found = fmt::format("{} {} {}", profile->total(0), profile->total(1), profile->total(2));
    const std::string expected = fmt::format("{} {} {}", totals.allocations, totals.temporary, totals.peak);
    if (found != expected) return {Outcome::failed, fmt::format("totals {}, not {}", found, expected)};
    return {};
  }
  return {Outcome::failed, "its totals are not known"};
}

Verdict judge_names(const fs::path& root, const std::string& name) {
  const auto profile = read_any(root / name);
  if (!profile) return {Outcome::failed, profile.error().message};
  std::string stem = fs::path{name}.stem().string();
  Folded found = fold(*profile, 0);
  fs::path result = (root / name).parent_path() / "results" / (stem + ".txt");
  if (name.find("example-dtrace") != std::string::npos) {
    result = root / "inferno/collapse-dtrace/results/dtrace-example.txt";
  } else if (stem == "vtune") {
    result = root / "inferno/collapse-vtune/results/vtune-no-modules.txt";
    for (auto& [stack, value] : found) value = (value + 500000) / 1000000;  // inferno counts ms
  } else if (stem != "java") {
    // inferno cuts what it takes for template arguments, or was asked to keep offsets.
    return {profile->sample_count() > 0 ? Outcome::passed : Outcome::failed, "no samples"};
  } else {
    // Inlined frames are marked there.
    Folded marked;
    for (const auto& [name_of, value] : found) {
      std::string stack = name_of;
      const std::size_t at = stack.find(";bar");
      if (at != std::string::npos) stack.insert(at + 4, "_[i]");
      marked[stack] += value;
    }
    found = marked;
  }
  const std::string wrong = difference(parse_folded(read_file(result)), found);
  return {wrong.empty() ? Outcome::passed : Outcome::failed, wrong};
}

}  // namespace hprof::test
