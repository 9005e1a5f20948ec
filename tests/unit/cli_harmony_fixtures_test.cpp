// SPDX-License-Identifier: Apache-2.0
// Walks the harmony.conf fixtures beside the checkout: every schema version, and harmony's own
// results as the independent truth.
#include "cli/file_replace.h"
#include "cli/harmony_edit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace hprof;
using namespace hprof::cli;
namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path{HPROF_SHARED} / "fixtures" / "harmony-conf";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

bool have_fixtures() {
  if (fs::exists(kFolder)) return true;
  MESSAGE("skipped: no fixtures at " << kFolder.native());
  return false;
}

std::string text_of(const fs::path& path) {
  Result<std::string> text = read_text_file(path.native());
  REQUIRE(text);
  return *text;
}

/// What is left of `longer` when `shorter` is taken out of it as head and tail: the inserted part.
/// Empty optional where `longer` is no insertion of one piece into `shorter`.
std::optional<std::string> inserted(const std::string& shorter, const std::string& longer) {
  const auto [a, b] = std::ranges::mismatch(shorter, longer);
  const auto head = static_cast<std::size_t>(a - shorter.begin());
  const std::size_t tail = shorter.size() - head;
  if (longer.size() < shorter.size() || !longer.ends_with(shorter.substr(head))) return {};
  return longer.substr(head, longer.size() - head - tail);
}

/// Completes a text and checks that only [Pprof] lines came to it.
std::string migrate_checked(const std::string& text, const std::string& name) {
  const Result<HarmonyConfig> config = read_harmony_config(text, name);
  REQUIRE_MESSAGE(config, (config ? "" : config.error().message));
  const Result<std::string> done = complete_harmony_config(text, *config, name);
  REQUIRE_MESSAGE(done, (done ? "" : done.error().message));
  const std::optional<std::string> extra = inserted(text, *done);
  REQUIRE(extra);
  CHECK(extra->empty() == config->missing.empty());
  for (const std::string_view key : config->missing) CHECK(extra->find(key) != std::string::npos);
  const Result<HarmonyConfig> again = read_harmony_config(*done, name);
  REQUIRE(again);
  CHECK(again->missing.empty());
  CHECK(*complete_harmony_config(*done, *again, name) == *done);
  return *done;
}

void check_same(const HarmonyPprof& ours, const HarmonyPprof& theirs) {
  CHECK(ours.enabled == theirs.enabled);
  CHECK(ours.folder == theirs.folder);
  CHECK(ours.listen_addr == theirs.listen_addr);
  CHECK(ours.debug_values == theirs.debug_values);
  CHECK(ours.intervals == theirs.intervals);
  CHECK(ours.names == theirs.names);
}

// Harmony's known bug 3: a file stamped 2.2.0 or later with an old section gets zero values.
const std::set<std::string> kZeroFilled = {"v2.5.0-template-old-pprof-section.toml"};

}  // namespace

TEST_CASE("every fixture comes out with harmony's own values and nothing else changed") {
  if (!have_fixtures()) return;
  std::size_t compared = 0;
  std::size_t refused = 0;
  for (const fs::path& path : files_in(kFolder)) {
    CAPTURE(path.filename().native());
    const std::string text = text_of(path);
    REQUIRE((is_harmony_config(text) || path.stem() == "v2.5.13-duplicate-key-invalid"));
    const Result<HarmonyConfig> read = read_harmony_config(text, path.filename().native());
    if (!read) {
      CHECK(path.stem() == "v2.5.13-duplicate-key-invalid");
      CHECK(read.error().message.find("v2.5.13-duplicate-key-invalid.toml:136:") == 0);
      CHECK(read.error().message.find("GlobalSlots") != std::string::npos);
      ++refused;
      continue;
    }
    const std::string done = migrate_checked(text, path.filename().native());
    const HarmonyPprof ours = read_harmony_config(done, "ours")->pprof;
    for (const char* theirs : {"migrated-2.6.5", "migrated-2.6.6"}) {
      const fs::path result = kFolder / theirs / path.filename();
      if (!fs::exists(result) || kZeroFilled.contains(path.filename().native())) continue;
      const Result<HarmonyConfig> reference = read_harmony_config(text_of(result), theirs);
      REQUIRE(reference);
      CHECK(reference->missing.empty());
      check_same(ours, reference->pprof);
      ++compared;
    }
  }
  CHECK(refused == 1);
  CHECK(compared >= 77);  // 39 + 40 results, less the zero-filled file in both
}

TEST_CASE("known bug 3: an old section under a new version gets defaults, not zeros") {
  if (!have_fixtures()) return;
  for (const std::string& name : kZeroFilled) {
    const HarmonyPprof theirs =
        read_harmony_config(text_of(kFolder / "migrated-2.6.5" / name), name)->pprof;
    CHECK(theirs.folder.empty());
    CHECK(theirs.intervals.empty());
    const std::string done = migrate_checked(text_of(kFolder / name), name);
    check_same(read_harmony_config(done, name)->pprof, HarmonyPprof{});
  }
}

TEST_CASE("every edge file is completed, or refused with the right error") {
  if (!have_fixtures()) return;
  const std::map<std::string, std::string> refused = {
      {"empty-file", "no Version entry"},
      {"no-version", "no Version entry"},
      {"truncated-syntax-error", ":40:"},
      {"v2.5.3-duplicate-section", ":114:1: "},
      {"v2.5.3-pprof-floats", ":71:25: Pprof.ProfileDebugValues[0]: expected an integer"},
      {"v2.5.3-pprof-intervals-scalar", "Pprof.ProfileDebugValues: expected a list of integers"},
      {"v2.5.3-pprof-mixed-array", "Pprof.ProfileIntervals[1]: expected an integer, got a string"},
      {"v2.5.3-pprof-unknown-profile", "unknown profile kind \"nosuch\""},
      {"v2.5.3-pprof-wrong-types", ":68:13: Pprof.Enabled: expected true or false, got a string"},
      {"version-empty", "Version: \"\" is no version"},
      {"version-garbage", "Version: \"abc\" is no version"},
      {"version-not-string", "Version: expected a string"},
  };
  std::size_t seen = 0;
  for (const fs::path& path : files_in(kFolder / "edge")) {
    CAPTURE(path.filename().native());
    ++seen;
    const std::string text = text_of(path);
    const Result<HarmonyConfig> read = read_harmony_config(text, path.filename().native());
    const auto expected = refused.find(path.stem().native());
    if (expected == refused.end()) {
      migrate_checked(text, path.filename().native());
      continue;
    }
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::malformed_input);
    CHECK_MESSAGE(read.error().message.find(expected->second) != std::string::npos,
                  read.error().message);
  }
  CHECK(seen == 35);
}

TEST_CASE("known bugs 1 and 2: nothing is switched on or opened that the file does not say") {
  if (!have_fixtures()) return;
  const auto pprof = [](const char* name) {
    return read_harmony_config(migrate_checked(text_of(kFolder / "edge" / name), name), name)
        ->pprof;
  };
  check_same(pprof("v2.1.0-no-pprof-section.toml"), HarmonyPprof{});
  check_same(pprof("v2.1.0-pprof-empty-section.toml"), HarmonyPprof{});
  check_same(pprof("v2.5.3-no-pprof-section.toml"), HarmonyPprof{});
  CHECK_FALSE(pprof("v2.1.0-pprof-no-enabled.toml").enabled);
  CHECK_FALSE(pprof("v2.1.0-pprof-lowercase-keys.toml").enabled);
  CHECK(pprof("v2.1.0-pprof-lowercase-keys.toml").listen_addr == "127.0.0.1:7070");
  CHECK_FALSE(pprof("v2.1.0-pprof-lowercase-section.toml").enabled);
  CHECK(pprof("v2.1.0-pprof-lowercase-section.toml").listen_addr == "127.0.0.1:7070");
}

TEST_CASE("versions that harmony refused or panicked at are read") {
  if (!have_fixtures()) return;
  for (const char* name : {"version-v-prefix.toml", "version-two-part.toml", "version-newer.toml",
                           "version-1.0.5-unsupported.toml", "v1.0.4-no-networktype.toml"}) {
    CAPTURE(name);
    const Result<HarmonyConfig> read = read_harmony_config(text_of(kFolder / "edge" / name), name);
    REQUIRE(read);
    CHECK_FALSE(read->pprof.enabled);
    CHECK(read->warnings.size() == (std::string{name} == "version-newer.toml" ? 1 : 0));
  }
}
