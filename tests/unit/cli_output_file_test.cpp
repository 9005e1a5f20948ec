// SPDX-License-Identifier: Apache-2.0
#include "output_file.h"

#include <doctest/doctest.h>

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

using namespace hprof;
using namespace hprof::cli;

TEST_CASE("a file name pattern is filled in, and a program's name cannot leave the folder") {
  const NameFields fields{.pid = "42",
                          .name = "../evil/na\nme",
                          .kind = "cpu",
                          .host = "box",
                          .time_ns = 1796061174'000000000};
  CHECK(*fill_pattern("%p-%k-%h-%t-100%%", fields) == "42-cpu-box-20261130T175254Z-100%");
  CHECK(*fill_pattern("a/%n.svg", fields) == "a/_._evil_na_me.svg");
  CHECK(*fill_pattern("plain", fields) == "plain");
  for (const char* bad : {"%x", "%"}) {
    const auto filled = fill_pattern(bad, fields);
    REQUIRE_FALSE(filled);
    CHECK(filled.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("the format of a file follows its extension unless a name is given") {
  const std::vector<std::string> paths = {"a.pb.gz", "b.svg", "-"};
  const auto files = choose_formats(paths, "");
  REQUIRE(files);
  CHECK((*files)[0].format->name == "pprof");
  CHECK((*files)[1].format->name == "svg");
  CHECK((*files)[2].format->name == "pprof");
  CHECK((*files)[2].is_stdout());
  const auto named = choose_formats(std::vector<std::string>{"x"}, "folded");
  REQUIRE(named);
  CHECK((*named)[0].format->name == "folded");
}

TEST_CASE("unknown extensions and formats and doubles are usage errors") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"a.xyz"}, ""}, {{"noextension"}, ""}, {{"a.svg"}, "nonsense"}, {{"a.svg", "a.svg"}, ""}};
  for (const auto& [paths, format] : cases) {
    const auto files = choose_formats(paths, format);
    REQUIRE_FALSE(files);
    CHECK(files.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("an output that was given up leaves nothing behind") {
  char folder[] = "/tmp/hprof-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string path = std::string{folder} + "/out.folded";
  Profile profile;
  profile.add_sample_type("samples", "count");
  const OutputFile file{path, formats::find_format("folded")};
  CHECK(probe_output(file));
  CHECK_FALSE(write_output(file, profile, {}, [] { return true; }));
  CHECK(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST_CASE("a folder that is missing or closed is told before the work begins") {
  const formats::Format* pprof = formats::find_format("pprof");
  const auto missing = probe_output({"/no/such/folder/x.pb.gz", pprof});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::failed);
}
