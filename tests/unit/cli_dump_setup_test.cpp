// SPDX-License-Identifier: Apache-2.0
#include "cli/config_file.h"
#include "cli/dump_setup.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::cli;

TEST_CASE("lists have one item for all kinds or one for each; 0 bounds nothing") {
  Options options;
  options.dump.kinds = {"cpu", "threads"};
  options.dump.intervals = {60s, 0s};
  options.dump.debug = {1};
  options.dump.keep_count = {0, 5};
  const Result<DumpConfig> config = dump_config_of(options);
  REQUIRE(config);
  REQUIRE(config->kinds.size() == 2);
  CHECK(config->kinds[1].kind == "goroutine");
  CHECK(config->kinds[0].interval == 60s);
  CHECK(config->kinds[1].interval == 0s);
  CHECK(config->kinds[0].debug == 1);
  CHECK(config->kinds[1].debug == 1);
  CHECK_FALSE(config->kinds[0].limits.count);
  CHECK(config->kinds[1].limits.count == 5);
  CHECK(config->kinds[0].limits.age == std::chrono::hours{168});
  CHECK(config->kinds[0].limits.bytes == std::uint64_t{1} << 30);
  CHECK(config->floor.percent == 5);
  CHECK(config->status_file == "./profiles/.hprof-dump.json");
}

TEST_CASE("all means every kind there is") {
  Options options;
  options.dump.kinds = {"all"};
  REQUIRE(dump_config_of(options));
  CHECK(dump_config_of(options)->kinds.size() == 9);
}

TEST_CASE("a length that fits neither names both, in a flag as usage, in a file as malformed") {
  Options options;
  options.dump.kinds = {"cpu", "heap"};
  options.dump.intervals = {1s, 2s, 3s};
  const Result<DumpConfig> config = dump_config_of(options);
  REQUIRE_FALSE(config);
  CHECK(config.error().kind == ErrorKind::usage);
  CHECK(config.error().message == "--interval has 3 items for 2 kinds");

  LoadedOptions loaded;
  REQUIRE(apply_config_text("[dump]\nkinds = [\"cpu\", \"cpu\"]\n", "a.toml", loaded));
  const Result<void> from_file = check_dump_options(loaded);
  REQUIRE_FALSE(from_file);
  CHECK(from_file.error().kind == ErrorKind::malformed_input);
  CHECK(from_file.error().message == "a.toml: [dump]: kind cpu is given twice");
  loaded.origins[find_key("dump.kinds")] = "flag";
  CHECK(check_dump_options(loaded).error().kind == ErrorKind::usage);
}

TEST_CASE("the floor of free space is a share or a size") {
  CHECK(parse_free_floor("7.5%")->percent == 7.5);
  CHECK(parse_free_floor("2GiB")->bytes == std::uint64_t{2} << 30);
  CHECK(parse_free_floor("0")->bytes == 0);
  CHECK_FALSE(parse_free_floor("101%"));
  CHECK_FALSE(parse_free_floor("much"));
  CHECK_FALSE(parse_free_floor(""));
}
