// SPDX-License-Identifier: Apache-2.0
#include "cli/harmony_edit.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::cli;

namespace {

std::string complete(const std::string& text) {
  const Result<HarmonyConfig> config = read_harmony_config(text, "h.conf");
  REQUIRE_MESSAGE(config, (config ? "" : config.error().message));
  const Result<std::string> done = complete_harmony_config(text, *config, "h.conf");
  REQUIRE_MESSAGE(done, (done ? "" : done.error().message));
  // A second run changes nothing.
  const Result<HarmonyConfig> again = read_harmony_config(*done, "h.conf");
  REQUIRE(again);
  CHECK(again->missing.empty());
  CHECK(*complete_harmony_config(*done, *again, "h.conf") == *done);
  return *done;
}

const std::string kRest =
    "  Folder = \"./profiles\"\n  ProfileDebugValues = [0]\n  ProfileIntervals = [600]\n"
    "  ProfileNames = []\n";

}  // namespace

TEST_CASE("missing keys go below the last key of [Pprof], comments and order stay") {
  CHECK(complete("# top\nVersion = \"2.1.0\"\n\n[Pprof]\n  Enabled = false # off\n"
                 "  ListenAddr = \"127.0.0.1:6060\"\n\n# about rpc\n[RPCOpt]\n  X = 1\n") ==
        "# top\nVersion = \"2.1.0\"\n\n[Pprof]\n  Enabled = false # off\n"
        "  ListenAddr = \"127.0.0.1:6060\"\n" +
            kRest + "\n# about rpc\n[RPCOpt]\n  X = 1\n");
}

TEST_CASE("an absent section is added at the end, off and on loopback") {
  CHECK(complete("Version = \"2.1.0\"\n[A]\n  X = 1") ==
        "Version = \"2.1.0\"\n[A]\n  X = 1\n\n[Pprof]\n  Enabled = false\n"
        "  Folder = \"./profiles\"\n  ListenAddr = \"127.0.0.1:6060\"\n"
        "  ProfileDebugValues = [0]\n  ProfileIntervals = [600]\n  ProfileNames = []\n");
}

TEST_CASE("an empty section is filled below its header") {
  const std::string got = complete("Version = \"2.1.0\"\n[Pprof]\n\n[Z]\n");
  CHECK(got.find("[Pprof]\n  Enabled = false\n") != std::string::npos);
  CHECK(got.ends_with("ProfileNames = []\n\n[Z]\n"));
  CHECK(complete("Version = \"2.1.0\"\n[Pprof]").find("[Pprof]\n  Enabled") != std::string::npos);
}

TEST_CASE("line ends, byte order mark and indentation follow the file") {
  const std::string got =
      complete("\xef\xbb\xbfVersion = \"2.1.0\"\r\n[Pprof]\r\n\tEnabled = true\r\n[Z]\r\n");
  CHECK(got.starts_with("\xef\xbb\xbfVersion"));
  CHECK(got.find("\tEnabled = true\r\n\tFolder = \"./profiles\"\r\n") != std::string::npos);
  CHECK(got.ends_with("\tProfileNames = []\r\n[Z]\r\n"));
}

TEST_CASE("inline tables and dotted keys are completed in their own way") {
  CHECK(complete(
            "Version = \"2.1.0\"\nPprof = { Enabled = true, ListenAddr = \"}#\" } # x\nA = 1\n") ==
        "Version = \"2.1.0\"\nPprof = { Enabled = true, ListenAddr = \"}#\", Folder = "
        "\"./profiles\", ProfileDebugValues = [0], ProfileIntervals = [600], ProfileNames = [] } "
        "# x\nA = 1\n");
  CHECK(complete("Version = \"2.1.0\"\nPprof = {}\n").find("Pprof = { Enabled = false, Folder") !=
        std::string::npos);
  CHECK(complete("Version = \"2.1.0\"\npprof.Enabled = true\nOther = 1\n[A]\n") ==
        "Version = \"2.1.0\"\npprof.Enabled = true\npprof.Folder = \"./profiles\"\n"
        "pprof.ListenAddr = \"127.0.0.1:6060\"\npprof.ProfileDebugValues = [0]\n"
        "pprof.ProfileIntervals = [600]\npprof.ProfileNames = []\nOther = 1\n[A]\n");
}

TEST_CASE("lists over several lines, strings with brackets and nested tables do not mislead it") {
  const std::string got = complete(
      "Version = \"2.5.3\"\n[Pprof]\n  ProfileNames = [\n    \"cpu\", # ]\n    'heap',\n  ]\n"
      "[Pprof.Extra]\n  Text = \"\"\"\n[Pprof]\nEnabled = 1\n\"\"\"\n[Z]\n");
  CHECK(got.find("    'heap',\n  ]\n  Enabled = false\n") != std::string::npos);
  CHECK(got.find("ProfileIntervals = [600]\n[Pprof.Extra]\n") != std::string::npos);
  const std::string only_nested = complete("Version = \"2.5.3\"\n[Pprof.Extra]\n  A = 1\n");
  CHECK(only_nested.find("[Pprof]\n  Enabled = false\n") != std::string::npos);
}

TEST_CASE("a quoted section name and one in capitals are found") {
  CHECK(complete("Version = \"2.1.0\"\n[\"Pprof\"]\nEnabled = true\n")
            .find("Enabled = true\nFolder = ") != std::string::npos);
  CHECK(complete("Version = \"2.1.0\"\n[PPROF]\nEnabled = true\n[pprofx]\n")
            .find("Enabled = true\nFolder = ") != std::string::npos);
}

TEST_CASE("where no place can be found nothing is changed, and the error says so") {
  const std::string text = "Version = \"2.1.0\"\n[\"\\u0050prof\"]\nEnabled = true\n";
  const Result<HarmonyConfig> config = read_harmony_config(text, "h.conf");
  REQUIRE(config);
  CHECK(config->pprof.enabled);
  const Result<std::string> done = complete_harmony_config(text, *config, "h.conf");
  REQUIRE_FALSE(done);
  CHECK(done.error().message.find("h.conf: cannot find a place") == 0);
}
