// SPDX-License-Identifier: Apache-2.0
#include "cli/harmony_config.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::cli;

namespace {

HarmonyConfig read_ok(const std::string& text) {
  Result<HarmonyConfig> got = read_harmony_config(text, "h.conf");
  REQUIRE_MESSAGE(got, (got ? "" : got.error().message));
  return *got;
}

Error read_bad(const std::string& text) {
  Result<HarmonyConfig> got = read_harmony_config(text, "h.conf");
  REQUIRE_FALSE(got);
  CHECK(got.error().kind == ErrorKind::malformed_input);
  return got.error();
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : "|") + item;
  return out;
}

/// The value of one of hprof's settings that [Pprof] text gives.
std::string setting(const std::string& pprof, std::string_view key,
                    std::vector<std::string>* warnings = nullptr) {
  std::vector<std::string> unused;
  const HarmonyConfig config = read_ok("Version = \"2.5.3\"\n[Pprof]\n" + pprof);
  for (const auto& s : settings_of_harmony(config, warnings != nullptr ? *warnings : unused)) {
    if (s.key == key) return joined(s.values);
  }
  return "absent";
}

}  // namespace

TEST_CASE("an absent [Pprof] means off and loopback, never on and port 80") {
  const HarmonyConfig config = read_ok("Version = \"2.1.0\"\n[General]\n  NodeType = \"x\"\n");
  CHECK_FALSE(config.pprof.enabled);
  CHECK(config.pprof.listen_addr == "127.0.0.1:6060");
  CHECK(config.pprof.folder == "./profiles");
  CHECK(config.pprof.intervals == std::vector<std::int64_t>{600});
  CHECK(config.pprof.debug_values == std::vector<std::int64_t>{0});
  CHECK(config.pprof.names.empty());
  CHECK(config.missing.size() == 6);
}

TEST_CASE("a key counts in any case, the exact spelling first") {
  const HarmonyConfig lower =
      read_ok("Version = \"2.1.0\"\n[pprof]\nenabled = true\nlistenaddr = \"127.0.0.1:7070\"\n");
  CHECK(lower.pprof.enabled);
  CHECK(lower.pprof.listen_addr == "127.0.0.1:7070");
  CHECK(lower.missing.size() == 4);
  const HarmonyConfig both =
      read_ok("Version = \"2.1.0\"\n[Pprof]\nenabled = true\nEnabled = false\n");
  CHECK_FALSE(both.pprof.enabled);
}

TEST_CASE("present values stay, empty ones too") {
  const HarmonyConfig config = read_ok(
      "Version = \"2.5.5\"\nPprof = { Folder = \"\", ListenAddr = \"\", ProfileIntervals = [] }\n");
  CHECK(config.pprof.folder.empty());
  CHECK(config.pprof.listen_addr.empty());
  CHECK(config.pprof.intervals.empty());
  CHECK(config.pprof.debug_values == std::vector<std::int64_t>{0});
}

TEST_CASE("versions: a v, a missing patch number and old ones are accepted") {
  CHECK(parse_harmony_version("v2.5.3")->text() == "2.5.3");
  CHECK(parse_harmony_version("2.5")->text() == "2.5.0");
  CHECK(parse_harmony_version("0.9.0")->text() == "1.0.4");
  CHECK(parse_harmony_version("1.0.0")->text() == "1.0.4");
  CHECK(parse_harmony_version("1.0.4-rc1")->text() == "1.0.4");
  CHECK(parse_harmony_version("1.0.5")->text() == "1.0.5");
  CHECK(parse_harmony_version("2.6.8+build.7")->text() == "2.6.8");
  for (const char* bad : {"", "abc", "v", "2", "2.", "2.x", "2.5.", "2.5.3.1", " 2.5.3", "-1.0.0",
                          "2.5.3-", "99999999999.0.0", "2.5.3 "}) {
    CAPTURE(bad);
    const auto got = parse_harmony_version(bad);
    REQUIRE_FALSE(got);
    CHECK(got.error().message.find("2.6.8") != std::string::npos);
  }
}

TEST_CASE("a newer version is read with a warning, a missing or wrong one refused with the range") {
  const HarmonyConfig newer = read_ok("Version = \"9.9.9\"\n[Pprof]\nEnabled = true\n");
  CHECK(newer.pprof.enabled);
  REQUIRE(newer.warnings.size() == 1);
  CHECK(newer.warnings[0].find("9.9.9") != std::string::npos);
  CHECK(read_ok("Version = \"2.6.8\"\n").warnings.empty());

  CHECK(read_bad("[Pprof]\nEnabled = true\n").message.find("\"1.0.0\" to \"2.6.8\"") !=
        std::string::npos);
  CHECK(read_bad("Version = 2.5\n").message.rfind("h.conf:1:11: Version: expected a string", 0) ==
        0);
  CHECK(read_bad("\nVersion = \"abc\"\n").message.rfind("h.conf:2:11: Version: \"abc\"", 0) == 0);
  CHECK(read_bad("").message.find("no Version entry") != std::string::npos);
}

TEST_CASE("a wrong type names place, key, what is expected and what is there") {
  const auto message = [](const std::string& line) {
    return read_bad("Version = \"2.5.3\"\n[Pprof]\n" + line + "\n").message;
  };
  CHECK(message("Enabled = \"yes\"") ==
        "h.conf:3:11: Pprof.Enabled: expected true or false, got a string");
  CHECK(message("Folder = 5") == "h.conf:3:10: Pprof.Folder: expected a string, got an integer");
  CHECK(message("ProfileIntervals = 600") ==
        "h.conf:3:20: Pprof.ProfileIntervals: expected a list of integers, got an integer");
  CHECK(message("ProfileIntervals = [600, \"x\"]") ==
        "h.conf:3:26: Pprof.ProfileIntervals[1]: expected an integer, got a string");
  CHECK(
      message("ProfileIntervals = [1.5]") ==
      "h.conf:3:21: Pprof.ProfileIntervals[0]: expected an integer, got a number with a fraction");
  CHECK(message("ProfileNames = \"cpu\"") ==
        "h.conf:3:16: Pprof.ProfileNames: expected a list of strings, got a string");
  CHECK(message("ProfileNames = [1979-05-27]") ==
        "h.conf:3:17: Pprof.ProfileNames[0]: expected a string, got a date or time");
  // The first one in the file is reported, whatever the order of the keys in the code.
  CHECK(message("ProfileNames = 1\nEnabled = 1").rfind("h.conf:3:16: Pprof.ProfileNames", 0) == 0);
  CHECK(read_bad("Version = \"2.5.3\"\nPprof = 5\n").message ==
        "h.conf:2:9: Pprof: expected a table, got an integer");
}

TEST_CASE("an unknown kind is an error that names it and the known ones") {
  const Error error =
      read_bad("Version = \"2.5.3\"\n[Pprof]\nProfileNames = [\"cpu\", \"nosuch\"]\n");
  CHECK(error.message == "h.conf:3:24: Pprof.ProfileNames: unknown profile kind \"nosuch\"");
  CHECK(error.hint.find("goroutine") != std::string::npos);
}

TEST_CASE("bad TOML is reported with its place, on one line") {
  const Error error = read_bad("Version = \"2.5.3\"\nX = fal\n");
  CHECK(error.message.rfind("h.conf:2:", 0) == 0);
  CHECK(error.message.find('\n') == std::string::npos);
  CHECK(read_bad("[Pprof]\n[Pprof]\n").message.find("h.conf:2:1") == 0);
}

TEST_CASE("lists match as harmony matched them: one for each, or the first for all") {
  std::vector<std::string> warnings;
  const std::string three = "ProfileNames = [\"cpu\", \"heap\", \"mutex\"]\n";
  CHECK(setting(three + "ProfileIntervals = [30, 60, 10]\n", "dump.interval", &warnings) ==
        "30s|60s|10s");
  CHECK(setting(three + "ProfileIntervals = [30]\n", "dump.interval", &warnings) == "30s|30s|30s");
  CHECK(setting(three + "ProfileIntervals = []\n", "dump.interval", &warnings) == "0s|0s|0s");
  CHECK(warnings.empty());
  CHECK(setting(three + "ProfileIntervals = [30, 60]\n", "dump.interval", &warnings) ==
        "30s|30s|30s");
  CHECK(warnings.size() == 1);
  CHECK(setting(three + "ProfileDebugValues = [1, 0]\n", "dump.debug", &warnings) == "1|1|1");
  CHECK(warnings.size() == 2);
}

TEST_CASE(
    "old leniency: negative intervals, duplicates, empty names and folders, each with a warning") {
  std::vector<std::string> warnings;
  CHECK(setting("ProfileNames = [\"heap\"]\nProfileIntervals = [-5]\n", "dump.interval",
                &warnings) == "0s");
  CHECK(warnings.size() == 1);
  warnings.clear();
  const std::string twice =
      "ProfileNames = [\"heap\", \"cpu\", \"heap\"]\nProfileIntervals = [60, 20, 30]\n"
      "ProfileDebugValues = [0, 0, 2]\n";
  CHECK(setting(twice, "dump.kinds") == "heap|cpu");
  CHECK(setting(twice, "dump.interval") == "30s|20s");
  CHECK(setting(twice, "dump.debug", &warnings) == "2|0");
  CHECK(warnings.size() == 1);
  warnings.clear();
  CHECK(setting("Enabled = true\n", "dump.kinds", &warnings) == "cpu");
  CHECK(warnings.size() == 1);
  CHECK(setting("Folder = \"\"\n", "dump.folder") == ".");
  CHECK(setting("ListenAddr = \"\"\n", "serve.listen") == "127.0.0.1:6060");
  CHECK(setting("ListenAddr = \"0.0.0.0:26060\"\n", "serve.listen") == "0.0.0.0:26060");
  CHECK(setting("Enabled = true\n", "serve.enabled") == "true");
  CHECK(setting("ProfileDebugValues = [7]\n", "dump.debug") == "2");
  CHECK(setting("ProfileIntervals = [9223372036854775807]\n", "dump.interval") == "0s");
}

TEST_CASE("a harmony.conf is told from an hprof.toml by its sections and its version in a string") {
  CHECK(is_harmony_config("Version = \"2.5.3\"\n"));
  CHECK(is_harmony_config("version = \"2.5.3\"\n"));
  CHECK(is_harmony_config("Version = 2.5\n[BLSKeys]\n"));
  CHECK(is_harmony_config("[pprof]\n"));
  CHECK(is_harmony_config("[General]\n"));
  CHECK(is_harmony_config(""));
  CHECK(is_harmony_config("# nothing\n"));
  CHECK_FALSE(is_harmony_config("version = 1\n[dump]\nfolder = \"x\"\n"));
  CHECK_FALSE(is_harmony_config("[dump]\n"));
  CHECK_FALSE(is_harmony_config("not toml"));
}

TEST_CASE("the notice names the command, and there is none for a newest file") {
  CHECK(harmony_notice(read_ok("Version = \"2.1.0\"\n"), "a.conf")
            .find("hprof migrate-config a.conf") != std::string::npos);
  CHECK(harmony_notice(read_ok("Version = \"2.5.3\"\nPprof = { Enabled = false, Folder = \"x\", "
                               "ListenAddr = \"y\", ProfileDebugValues = [0], ProfileIntervals = "
                               "[1], ProfileNames = [] }\n"),
                       "a.conf")
            .empty());
}
