// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/load_options.h"

#include <doctest/doctest.h>

#include <set>

using namespace hprof;
using namespace hprof::cli;

namespace {

LoadedOptions load(std::vector<std::string> args, const Environment& environment = {}) {
  const Command& command = *find_command("dump");
  const Result<Arguments> arguments = parse_arguments(command, args);
  REQUIRE_MESSAGE(arguments, (arguments ? "" : arguments.error().message));
  Result<LoadedOptions> loaded = load_options(command, *arguments, environment);
  REQUIRE_MESSAGE(loaded, (loaded ? "" : loaded.error().message));
  return *std::move(loaded);
}

}  // namespace

TEST_CASE("three flags of a harmony node are shown and three are advanced, on dump and serve") {
  std::set<std::string_view> shown;
  std::set<std::string_view> advanced;
  for (const Setting* setting : all_settings()) {
    if (!setting->flag.starts_with("--pprof")) continue;
    CHECK(setting->commands == (kDump | kServe));
    (setting->visibility == Visibility::shown ? shown : advanced).insert(setting->flag);
  }
  CHECK(shown == std::set<std::string_view>{"--pprof", "--pprof.addr", "--pprof.profile.names"});
  CHECK(advanced == std::set<std::string_view>{"--pprof.folder", "--pprof.profile.intervals",
                                               "--pprof.profile.debug"});
}

TEST_CASE("any detailed flag switches profiling on, unless the switch itself is given") {
  const std::vector<std::pair<std::vector<std::string>, bool>> cases = {
      {{}, false},
      {{"--pprof"}, true},
      {{"--pprof=false"}, false},
      {{"--pprof.addr", "127.0.0.1:7070"}, true},
      {{"--pprof.folder", "x"}, true},
      {{"--pprof.profile.names", "cpu"}, true},
      {{"--pprof.profile.intervals", "30"}, true},
      {{"--pprof.profile.debug", "1"}, true},
      {{"--pprof=false", "--pprof.addr", "127.0.0.1:7070"}, false},
      {{"--pprof", "--pprof.addr", "127.0.0.1:7070"}, true},
  };
  for (const auto& [args, enabled] : cases) {
    CAPTURE(args.empty() ? std::string{} : args[0]);
    CHECK(load(args).options.serve.enabled == enabled);
  }
}

TEST_CASE("a harmony flag sets the setting it is another name of, over variables") {
  const Environment environment = {{"HPROF_DUMP_FOLDER", "of-variable"}};
  CHECK(load({}, environment).options.dump.folder == "of-variable");
  const LoadedOptions loaded = load({"--pprof.folder", "x"}, environment);
  CHECK(loaded.options.dump.folder == "x");
  CHECK(loaded.origins.at(find_key("dump.folder")) == "flag");
  const LoadedOptions lists = load({"--pprof.profile.names", "cpu,heap",
                                    "--pprof.profile.intervals", "30,60", "--pprof.profile.debug",
                                    "0,2"});
  CHECK(lists.options.dump.kinds == std::vector<std::string>{"cpu", "heap"});
  CHECK(lists.options.dump.intervals == std::vector<nanoseconds>{30s, 60s});
  CHECK(lists.options.dump.debug == std::vector<std::uint64_t>{0, 2});
}
