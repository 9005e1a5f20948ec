// SPDX-License-Identifier: Apache-2.0
#include "load_options.h"
#include "suggest.h"

#include <doctest/doctest.h>

#include <array>

using namespace hprof;
using namespace hprof::cli;
using namespace std::chrono_literals;

namespace {

Result<LoadedOptions> load(const std::vector<std::string>& args,
                           const Environment& environment = {}) {
  const Command* record = find_command("record");
  HPROF_CHECK(record != nullptr);
  HPROF_ASSIGN(const Arguments arguments, parse_arguments(*record, args));
  return load_options(*record, arguments, environment);
}

}  // namespace

TEST_CASE("pids come as words, as lists and repeated, and all count") {
  const auto loaded = load({"-p", "1,2", "3", "--pid=4", "5,6"});
  REQUIRE(loaded);
  CHECK(loaded->options.target.pids == std::vector<std::string>{"1", "2", "4", "3", "5", "6"});
}

TEST_CASE("the habits of perf and py-spy are understood") {
  const auto loaded = load(
      {"-F99", "-g", "-a", "-t", "7,8", "-d", "3", "-o", "a,b.svg", "-oc.html", "-f", "pprof"});
  REQUIRE(loaded);
  const Options& o = loaded->options;
  CHECK(o.capture.rate == 99);
  CHECK(o.target.system);
  CHECK(o.target.tids == std::vector<std::string>{"7", "8"});
  CHECK(o.record.duration == 3s);
  CHECK(o.output.files == std::vector<std::string>{"a,b.svg", "c.html"});
  CHECK(o.output.format == "pprof");
}

TEST_CASE("what follows two dashes is the command, dashes and all") {
  const auto loaded = load({"-F", "49", "--", "ls", "-l", "--", "-F"});
  REQUIRE(loaded);
  CHECK(loaded->options.target.command == std::vector<std::string>{"ls", "-l", "--", "-F"});
  CHECK(loaded->options.target.pids.empty());
}

TEST_CASE("the last of several scalar values counts") {
  const auto loaded = load({"-d", "3", "-d", "4s", "--children", "--children=false"});
  REQUIRE(loaded);
  CHECK(loaded->options.record.duration == 4s);
  CHECK_FALSE(loaded->options.target.children);
}

TEST_CASE("waiting may have a limit, and takes no other word for it") {
  CHECK(load({"--wait", "12"})->options.target.wait == nanoseconds::max());
  CHECK(load({"--wait", "12"})->options.target.pids == std::vector<std::string>{"12"});
  CHECK(load({"--wait=5s"})->options.target.wait == 5s);
}

TEST_CASE("a flag beats a variable and a variable the default") {
  const Environment environment = {{"HPROF_RECORD_RATE", "49"}, {"HPROF_RECORD_KINDS", "cpu,heap"}};
  CHECK(load({}, {})->options.capture.rate == 99);
  const auto from_variable = load({}, environment);
  REQUIRE(from_variable);
  CHECK(from_variable->options.capture.rate == 49);
  CHECK(from_variable->options.record.kinds == std::vector<std::string>{"cpu", "heap"});
  CHECK(from_variable->origins.at(find_key("record.rate")) == "HPROF_RECORD_RATE");
  const auto from_flag = load({"-F", "199"}, environment);
  REQUIRE(from_flag);
  CHECK(from_flag->options.capture.rate == 199);
  CHECK(from_flag->origins.at(find_key("record.rate")) == "flag");
}

TEST_CASE("wrong flags and variables are usage errors with a hint") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--duratoin", "3"}, "unknown option --duratoin, did you mean --duration"},
      {{"--frobnicate"}, "unknown option --frobnicate"},
      {{"-Z"}, "unknown option -Z"},
      {{"-p"}, "--pid needs a value"},
      {{"--rate", "fast"}, "--rate: 'fast' is not a rate"},
      {{"--max-lost", "many"}, "--max-lost: 'many' is not a percentage"},
  };
  for (const auto& [args, message] : cases) {
    const auto loaded = load(args);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().kind == ErrorKind::usage);
    CHECK(loaded.error().message == message);
  }
  const auto wrong = load({}, {{"HPROF_RECORD_DURATION", "soon"}});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "HPROF_RECORD_DURATION: 'soon' is not a duration");
  const auto unknown = load({}, {{"HPROF_RECORD_DURATOIN", "3s"}});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == ErrorKind::usage);
  CHECK(load({}, {{"HPROF_SERVICE_HOST", "10.0.0.1"}}));
}

TEST_CASE("a typo is near to what was meant and far from anything else") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("duratoin", "duration") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  constexpr std::array<std::string_view, 3> kNames = {"record", "convert", "doctor"};
  CHECK(nearest("recrod", kNames) == "record");
  CHECK(nearest("docter", kNames) == "doctor");
  CHECK(nearest("profile", kNames).empty());
}
