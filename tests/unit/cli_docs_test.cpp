// SPDX-License-Identifier: Apache-2.0
#include "completion.h"
#include "flag_names.h"
#include "help.h"
#include "man_page.h"

#include <doctest/doctest.h>

#include <regex>

using namespace hprof::cli;

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether a help text has a row for this flag.
bool has_row(const std::string& help, std::string_view flag) {
  return std::regex_search(
      help, std::regex("(^|[ ,])" + std::string{flag} + "($|[ ,'\\[])", std::regex::multiline));
}

std::string roff_flag(std::string_view flag) {
  std::string out = "\\fB";
  for (const char c : flag) out += c == '-' ? std::string{"\\-"} : std::string(1, c);
  return out + "\\fR";
}

/// Calls `check(command, setting, flag)` for every flag of every command.
template <typename Check>
void for_each_flag(Check check) {
  for (const Command& command : all_commands()) {
    for (const Setting* setting : all_settings()) {
      if ((setting->commands & command.bit) == 0 || !setting->replaced_by.empty()) continue;
      CAPTURE(command.name);
      CAPTURE(setting->flag);
      check(command, *setting, long_flag(*setting));
    }
  }
}

}  // namespace

TEST_CASE("--help shows the everyday flags only, --help-advanced shows all") {
  for_each_flag([](const Command& command, const Setting& setting, std::string_view flag) {
    const bool shown = setting.visibility == Visibility::shown;
    CHECK(has_row(command_help(command, Tier::everyday), flag) == shown);
    CHECK(has_row(command_help(command, Tier::all), flag));
  });
}

TEST_CASE("man pages have every flag, the advanced ones in the last section") {
  for_each_flag([](const Command& command, const Setting& setting, std::string_view flag) {
    const std::string page = command_page(command, "");
    const std::size_t last = page.rfind("\n.SH ");
    const std::size_t options = page.find("\n.SH OPTIONS\n");
    const std::size_t at = page.find(roff_flag(flag), options);
    REQUIRE(at != std::string::npos);
    CHECK((at > last) == (setting.visibility == Visibility::advanced));
  });
}

TEST_CASE("completions offer the everyday flags and none of the others") {
  const std::string bash = bash_completion();
  const std::string zsh = zsh_completion();
  const std::string fish = fish_completion();
  for (const Setting* setting : all_settings()) {
    CAPTURE(setting->flag);
    bool used = false;
    bool shown_elsewhere = false;
    for (const Command& command : all_commands()) {
      used = used || is_in_tier(*setting, command, Visibility::shown);
    }
    const std::string name{long_flag(*setting)};
    for (const Setting* other : all_settings()) {
      shown_elsewhere = shown_elsewhere || (other != setting && long_flag(*other) == name);
    }
    if (shown_elsewhere) continue;
    CHECK(has_row(bash, name) == used);
    CHECK(has(zsh, "'*" + name + "[") == used);
    CHECK(has(fish, " -l " + name.substr(2) + " ") == used);
  }
}

TEST_CASE("no two settings of one command share a flag") {
  for (const Command& command : all_commands()) {
    std::vector<std::string_view> seen = {"-h", "--help", "--help-advanced"};
    for (const Setting* setting : all_settings()) {
      if ((setting->commands & command.bit) == 0) continue;
      for (const std::string_view name : flag_names(*setting)) {
        CAPTURE(command.name);
        CAPTURE(name);
        CHECK(std::find(seen.begin(), seen.end(), name) == seen.end());
        seen.push_back(name);
      }
    }
  }
}
