// SPDX-License-Identifier: Apache-2.0
#include "json_object.h"
#include "stop_signals.h"
#include "terminal.h"

#include <hprof/core/base/unique_fd.h>

#include <doctest/doctest.h>

#include <signal.h>
#include <unistd.h>

using namespace hprof;
using namespace hprof::cli;

namespace {

/// What `use` makes a terminal write.
template <typename Use>
std::string written(bool is_terminal, bool colors, Loudness loudness, Use use) {
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  const UniqueFd reader{ends[0]};
  {
    const UniqueFd writer{ends[1]};
    Terminal terminal{writer.get(), is_terminal, colors, loudness};
    use(terminal);
  }
  std::string text(4096, '\0');
  const ssize_t got = read(reader.get(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

TEST_CASE("a progress line is for terminals only, and is taken away before anything else") {
  const auto use = [](Terminal& terminal) {
    terminal.progress("half");
    terminal.say("done");
  };
  CHECK(written(false, false, Loudness::normal, use) == "done\n");
  CHECK(written(true, false, Loudness::normal, use) == "\rhalf\x1b[K\r\x1b[Kdone\n");
}

TEST_CASE("quiet keeps warnings, verbose adds details, colours only where allowed") {
  const auto use = [](Terminal& terminal) {
    terminal.say("said");
    terminal.detail("detail");
    terminal.warn("careful");
  };
  CHECK(written(false, true, Loudness::quiet, use) == "warning: careful\n");
  CHECK(written(false, true, Loudness::verbose, use) == "said\ndetail\nwarning: careful\n");
  CHECK(written(true, false, Loudness::quiet, use) == "warning: careful\n");
  CHECK(written(true, true, Loudness::quiet, use) == "\x1b[33mwarning:\x1b[0m careful\n");
}

TEST_CASE("signals raise the stage, one by one, and the old handlers come back") {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  {
    const auto signals = StopSignals::install();
    REQUIRE(signals);
    StopSignals& stop = **signals;
    CHECK(stop.stage() == StopStage::run);
    raise(SIGINT);
    CHECK(stop.stage() == StopStage::finish);
    raise(SIGTERM);
    CHECK(stop.stage() == StopStage::hurry);
    raise(SIGINT);
    raise(SIGINT);
    CHECK(stop.stage() == StopStage::abandon);
    CHECK_FALSE(stop.from_keyboard());
  }
  struct sigaction after = {};
  sigaction(SIGINT, nullptr, &after);
  CHECK((before.sa_handler == after.sa_handler));
}

TEST_CASE("JSON text is valid whatever a name holds") {
  CHECK(json_string("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\u000a\\u0001\"");
  CHECK(json_string("h\xc3\xb6") == "\"h\xc3\xb6\"");
  CHECK(json_string("\xff|\xc0\x80|\xed\xa0\x80|\xe2\x82") ==
        "\"\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|"
        "\xef\xbf\xbd\xef\xbf\xbd\"");
  JsonObject inner;
  inner.add("n", 1);
  JsonObject object;
  object.add("text", "x");
  object.add("real", 0.25);
  object.add("nan", 0.0 / 0.0);
  object.add("flag", true);
  object.add("list", std::vector<std::string>{"a", "b"});
  object.add("objects", std::vector<JsonObject>{inner});
  CHECK(object.text() ==
        R"({"text":"x","real":0.25,"nan":null,"flag":true,"list":["a","b"],"objects":[{"n":1}]})");
}
