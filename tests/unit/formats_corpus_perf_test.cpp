// SPDX-License-Identifier: Apache-2.0
// perf script text against the folded results of FlameGraph and inferno.
#include "corpus_judges.h"
#include "corpus_support.h"
#include "formats/perf_script.h"

#include <hprof/formats/collapse.h>

#include <algorithm>
#include <vector>

namespace hprof::test {
namespace {

namespace fs = std::filesystem;
using formats::CollapseNames;
using formats::CollapseStyle;

// Results beside an input: "<stem>-collapsed[-OPTION].txt[.gz]".
std::vector<fs::path> results_of(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "results", error)) {
    if (entry.path().filename().string().starts_with(stem + "-collapsed")) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

CollapseStyle style_of(const std::string& result, bool flamegraph) {
  const auto has = [&](std::string_view option) { return result.find(option) != std::string::npos; };
  return {.pid = has("-pid."),
          .tid = has("-tid."),
          .addresses = has("-addrs."),
          .kernel = has("-kernel.") || has("-all."),
          .jit = has("-jit.") || has("-all."),
          .names = flamegraph ? CollapseNames::flamegraph : CollapseNames::inferno};
}

// An older script made these: with ids behind the comm it no longer saw "java" and kept the L.
Folded without_descriptors(const Folded& folded) {
  Folded out;
  for (const auto& [stack, count] : folded) {
    std::string tidy;
    std::size_t at = 0;
    while (at <= stack.size()) {
      const std::size_t end = std::min(stack.find(';', at), stack.size());
      std::string frame = stack.substr(at, end - at);
      if (frame.starts_with('L') && frame.find('/') != std::string::npos) frame.erase(0, 1);
      tidy += (at == 0 ? "" : ";") + frame;
      at = end + 1;
    }
    out[tidy] += count;
  }
  return out;
}

// Where a symbol is missing both scripts show a blank; SPEC.md section 6 wants the module.
Folded with_blank_symbols(const Folded& folded) {
  Folded out;
  for (const auto& [name, count] : folded) {
    std::string stack = name;
    for (std::size_t at = 0; (at = stack.find("[libc-2.15.so", at)) != std::string::npos;) {
      stack.replace(at, stack.find(']', at) + 1 - at, " ");
    }
    out[stack] += count;
  }
  return out;
}

/// What stackcollapse-perf.pl makes of a file that does not end in a blank line: one sample less.
std::string without_last_sample(const std::string& text) {
  if (text.ends_with("\n\n")) return text;
  const std::size_t blank = text.rfind("\n\n");
  return blank == std::string::npos ? text : text.substr(0, blank + 2);
}

}  // namespace

Verdict judge_collapse_perf(const fs::path& root, const std::string& name) {
  const fs::path path = root / name;
  const bool flamegraph = name.starts_with("FlameGraph/");
  const std::string file = path.filename().string();
  const std::string stem = file.substr(0, file.find(".txt"));
  std::string text = read_file(path);
  if (text.empty()) {
    MemorySource source{as_bytes(text)};
    const auto profile = formats::read_perf_script(source, {});
    if (!profile && profile.error().kind == ErrorKind::malformed_input) return {};
    return {Outcome::failed, "an empty text was read"};
  }
  if (flamegraph) text = without_last_sample(text);
  MemorySource source{as_bytes(text)};
  const auto profile = formats::read_perf_script(source, {.lone_id_is_tid = true});
  if (!profile) return {Outcome::failed, profile.error().message};
  std::string reason;
  // inferno keeps results for inputs of FlameGraph too.
  std::vector<fs::path> results = results_of(path.parent_path(), stem);
  if (flamegraph) {
    const auto more = results_of(root / "inferno/collapse-perf", stem);
    results.insert(results.end(), more.begin(), more.end());
  }
  for (const fs::path& result : results) {
    const bool theirs = result.string().find("/inferno/") == std::string::npos;
    const CollapseStyle style = style_of(result.filename().string(), theirs);
    Profile use = *profile;
    if (!theirs && flamegraph) {
      // inferno counts the last sample.
      const std::string whole = read_file(path);
      MemorySource again{as_bytes(whole)};
      auto all = formats::read_perf_script(again, {.lone_id_is_tid = true});
      if (!all) return {Outcome::failed, all.error().message};
      use = *std::move(all);
    }
    const Profile view = formats::collapse_view(use, style);
    Folded found = fold(view, view.default_sample_type_index());
    if (stem == "single-line-stacks") {
      // inferno takes cycles and cycles:u for one event; here they are two.
      for (const auto& [stack, count] : fold(view, view.sample_types().size() - 1)) found[stack] += count;
    }
    Folded expected = parse_folded(read_file(result));
    if (stem.starts_with("perf-java") || stem.starts_with("perf-vertx")) {
      expected = without_descriptors(expected);
      found = without_descriptors(found);
    }
    if (stem.starts_with("perf-vertx")) found = with_blank_symbols(found);
    const std::string wrong = difference(expected, found);
    if (!wrong.empty()) reason += "\n    " + result.filename().string() + wrong;
  }
  return {reason.empty() ? Outcome::passed : Outcome::failed, reason};
}

}  // namespace hprof::test
