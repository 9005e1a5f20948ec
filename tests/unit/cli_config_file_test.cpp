// SPDX-License-Identifier: Apache-2.0
#include "config_file.h"
#include "print_config.h"
#include "setting_value.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::cli;
using namespace std::chrono_literals;

namespace {

Error error_of(std::string_view text) {
  LoadedOptions loaded;
  const auto done = apply_config_text(text, "a.toml", loaded);
  return done ? Error{ErrorKind::failed, "no error", {}} : done.error();
}

}  // namespace

TEST_CASE("a config file sets what it names and says where") {
  LoadedOptions loaded;
  const auto done = apply_config_text(
      "version = 1\n[target]\npid = [12, \"13\"]\nchildren = true\n"
      "[record]\nkinds = \"cpu,heap\"\nduration = 90\nrate = 49.5\n"
      "[limits]\nmax_cpu = \"5%\"\nmax_memory = \"64MiB\"\n",
      "a.toml", loaded);
  REQUIRE(done);
  const Options& o = loaded.options;
  CHECK(o.target.pids == std::vector<std::string>{"12", "13"});
  CHECK(o.target.children);
  CHECK(o.record.kinds == std::vector<std::string>{"cpu", "heap"});
  CHECK(o.record.duration == 90s);
  CHECK(o.capture.rate == 49.5);
  CHECK(o.limits.max_cpu == 5.0);
  CHECK(o.limits.max_memory == 64U << 20);
  CHECK(loaded.origins.at(find_key("record.rate")) == "a.toml:8");
}

TEST_CASE("errors of a config file carry place, key and the nearest known key") {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"versoin = 1\n", "a.toml:1:1: versoin: unknown key, did you mean version"},
      {"version = 2\n", "a.toml:1:11: version: this hprof knows version 1, not 2"},
      {"[recrod]\nrate = 3\n", "a.toml:1:2: recrod: unknown key, did you mean record"},
      {"[record]\nrte = 3\n", "a.toml:2:1: record.rte: unknown key, did you mean record.rate"},
      {"[record]\nrate = \"99\"\n", "a.toml:2:8: record.rate: must be a number, not a string"},
      {"[record]\nduration = \"soon\"\n", "a.toml:2:12: record.duration: 'soon' is not a duration"},
      {"[record]\nkinds = [\"cpux\"]\n",
       "a.toml:2:9: record.kinds: unknown 'cpux', did you mean cpu"},
      {"[target]\nchildren = 1\n",
       "a.toml:2:12: target.children: must be true or false, not an integer"},
      {"record = 3\n", "a.toml:1:10: record: must be a section, not an integer"},
  };
  for (const auto& [text, message] : cases) {
    const Error error = error_of(text);
    CHECK(error.message == message);
    CHECK(error.kind == ErrorKind::malformed_input);
  }
  CHECK(error_of("[record\n").kind == ErrorKind::malformed_input);
  CHECK(error_of("[record\n").message.starts_with("a.toml:1:8: "));
}

TEST_CASE("an empty file says nothing and an empty list empties a setting") {
  LoadedOptions loaded;
  CHECK(apply_config_text("# nothing\n", "a.toml", loaded));
  CHECK(loaded.options.record.kinds == std::vector<std::string>{"cpu"});
  CHECK(apply_config_text("[record]\nkinds = []\n", "a.toml", loaded));
  CHECK(loaded.options.record.kinds.empty());
}

TEST_CASE("the folders of config files, the strongest last; --config stands alone") {
  CHECK(config_paths("x.toml", {}) == std::vector<std::string>{"x.toml"});
  CHECK(config_paths("", {{"HOME", "/h"}}) ==
        std::vector<std::string>{"/etc/hprof/hprof.toml", "/h/.config/hprof/hprof.toml",
                                 "hprof.toml"});
  CHECK(config_paths("", {{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}})[1] == "/x/hprof/hprof.toml");
}

TEST_CASE("the printed config reads back as itself, whatever a value holds") {
  LoadedOptions loaded;
  loaded.options.target.name = "quo\"te\\ \n name";
  loaded.options.record.duration = 90min;
  loaded.options.limits.max_cpu = 2.5;
  loaded.options.target.pids = {"1", "2"};
  const std::string text = print_config(*find_command("record"), loaded);
  LoadedOptions again;
  REQUIRE(apply_config_text(text, "printed.toml", again));
  for (const Setting* setting : all_settings()) {
    if (setting->key.empty() || (setting->commands & kRecord) == 0) continue;
    CAPTURE(setting->key);
    CHECK(value_text(*setting, loaded.options) == value_text(*setting, again.options));
  }
}

TEST_CASE("every setting has a long flag, a help line and a key in a section") {
  for (const Setting* setting : all_settings()) {
    CAPTURE(setting->flag);
    CHECK(long_flag(*setting).starts_with("--"));
    CHECK_FALSE(setting->help.empty());
    CHECK_FALSE(setting->help.ends_with("."));
    CHECK((setting->key.empty() || setting->key.find('.') != std::string_view::npos));
    CHECK((setting->unit == Unit::flag) == setting->value.empty());
  }
}
