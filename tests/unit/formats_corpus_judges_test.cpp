// SPDX-License-Identifier: Apache-2.0
#include "corpus_judges.h"
#include "corpus_support.h"

#include <hprof/formats/registry.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

namespace hprof::test {
namespace {

namespace fs = std::filesystem;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_expectation(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kParts{
      "/results/",      ".expected",  "/driver-expected-reports/", "_expected", ".string",
      "/expected-import-summary/", ".buildids", "palette.map", "kate.print", "pprofutils/folded.out"};
  for (const std::string_view part : kParts) {
    if (contains(name, part)) return true;
  }
  return false;
}

/// Files of formats nobody promised to read, and why.
struct Unsupported {
  std::string_view part;
  std::string_view reason;
};
constexpr Unsupported kUnsupported[] = {
    {"ddprof/", "perf map or jitdump: symbols, not a profile"},
    {"collapse-sample/", "macOS sample"},
    {"collapse-ghcprof/", "GHC .prof"},
    {"collapse-vsprof/", "Visual Studio profiler CSV"},
    {"collapse-recursive/", "input of a folded-text filter, read as folded elsewhere"},
    {"speedscope/haskell/", "GHC JSON"},
    {"speedscope/Safari/", "Safari timeline JSON"},
    {"speedscope/papyrus/", "Papyrus log"},
    {"speedscope/pmcstat/", "FreeBSD pmcstat"},
    {"speedscope/stackprof/", "stackprof"},
    {"speedscope/source-maps/", "no profile"},
    // speedscope drops a begin whose end has another name; here it lasts to the end.
    {"trace-event/mismatched-name", "speedscope and hprof differ on purpose"},
    {"trace-event/simple-with-samples", "trace events with a table of samples"},
    {"Chrome/141/no-arg-data", "most of its nodes were cut out; samples of the rest are read"},
    {"art-trace", "Android ART trace"},
    {"simpleperf", "simpleperf protobuf"},
};

/// Files made to be refused.
bool is_spoiled(std::string_view name) {
  return name.starts_with("inferno/collapse-") && (contains(name, "invalid") || contains(name, "end-before") ||
                                                   contains(name, "only-header") || contains(name, "unknown-format"));
}

}  // namespace

Result<Profile> read_any(const fs::path& path, const formats::ReadOptions& options) {
  std::ifstream stream{path, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{stream}, std::istreambuf_iterator<char>{}};
  MemorySource source{as_bytes(bytes)};
  return formats::read_profile(source, path.string(), nullptr, options);
}

Verdict judge(const fs::path& root, const std::string& name) {
  if (is_expectation(name)) return {Outcome::expectation, {}};
  for (const Unsupported& row : kUnsupported) {
    if (contains(name, row.part)) return {Outcome::unsupported, std::string{row.reason}};
  }
  if (name.starts_with("FlameGraph/test/") || name.starts_with("inferno/collapse-perf/")) {
    return judge_collapse_perf(root, name);
  }
  if (name.starts_with("perf_data_converter/") || name.starts_with("linux-perf-data/") ||
      name.starts_with("hotspot/")) {
    return judge_perf_data(root, name);
  }
  if (name.starts_with("speedscope/") && fs::exists(root / (name + ".expected.1.txt"))) {
    return judge_speedscope(root, name);
  }
  for (const char* suffix : {".string", ".string.gz"}) {
    if (fs::exists(root / (name + suffix))) return judge_with_dump(root / name, root / (name + suffix));
  }
  if (name.starts_with("heaptrack/")) return judge_heaptrack(root, name);
  if (name.starts_with("inferno/collapse-dtrace/") || name.starts_with("inferno/collapse-vtune/") ||
      name == "FlameGraph/example-dtrace-stacks.txt.gz") {
    if (!is_spoiled(name)) return judge_names(root, name);
  }
  const auto profile = read_any(root / name);
  if (profile) return {};
  if (contains(profile.error().message, "no profile format that is known") ||
      contains(profile.error().message, "svg: no frames of a flame graph")) {
    return {Outcome::unsupported, profile.error().message};
  }
  if (is_spoiled(name) && profile.error().kind == ErrorKind::malformed_input) return {};
  std::error_code error;
  if (fs::file_size(root / name, error) == 0 && profile.error().kind == ErrorKind::malformed_input) return {};
  if (contains(name, "/invalid/")) return {};  // refused, as it should be
  return {Outcome::failed, profile.error().message};
}

}  // namespace hprof::test
