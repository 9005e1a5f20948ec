// SPDX-License-Identifier: Apache-2.0
#include "help.h"

#include "flag_names.h"
#include "setting_value.h"

#include <fmt/format.h>

namespace hprof::cli {
namespace {

constexpr std::size_t kHelpColumn = 30;

std::string row(std::string_view left, std::string_view right) {
  if (left.size() + 4 > kHelpColumn) {
    return fmt::format("  {}\n{:{}}{}\n", left, "", kHelpColumn, right);
  }
  return fmt::format("  {:<{}}{}\n", left, kHelpColumn - 2, right);
}

/// The settings of one tier, group by group. `heading` makes a title of a group's name.
std::string tier_text(const Command& command, Visibility visibility, std::string_view suffix) {
  std::string text;
  for (const SettingGroup& group : setting_groups()) {
    std::string rows;
    for (const Setting& setting : group.settings) {
      if (!is_in_tier(setting, command, visibility)) continue;
      const std::string value = default_text(setting);
      rows += row(flag_text(setting), value.empty() ? std::string{setting.help}
                                                    : fmt::format("{} [{}]", setting.help, value));
    }
    if (!rows.empty()) text += fmt::format("\n{}{}:\n{}", group.heading, suffix, rows);
  }
  return text;
}

}  // namespace

std::string flag_text(const Setting& setting) {
  const std::string text = fmt::format("{}", fmt::join(flag_names(setting), ", "));
  if (setting.value.empty()) return text;
  return setting.value.starts_with("[") ? text + std::string{setting.value}
                                        : fmt::format("{} {}", text, setting.value);
}

std::string default_text(const Setting& setting) {
  Options defaults;
  const std::string text = value_text(setting, defaults);
  return setting.unit == Unit::flag || text == "0" ? std::string{} : text;
}

std::string program_help() {
  std::string text =
      "hprof profiles any running Linux process from the outside.\n\n"
      "Usage: hprof COMMAND [options]\n\nCommands:\n";
  for (const Command& command : all_commands()) text += row(command.name, command.summary);
  text += "\nOptions:\n";
  text += row("-h, --help", "show this text; of a command: hprof COMMAND --help");
  text += row("--version", "show the version");
  text += "\nA first profile: hprof record PID -d 10s -o flame.html\n";
  return text;
}

std::string command_help(const Command& command, Tier tier) {
  std::string text = fmt::format("hprof {}: {}\n\nUsage: hprof {} {}\n", command.name,
                                 command.summary, command.name, command.usage);
  text += tier_text(command, Visibility::shown, "");
  if (tier == Tier::all) text += tier_text(command, Visibility::advanced, ", for developers");
  text += "\nHelp:\n";
  text += row("-h, --help", "show the everyday options");
  text += row("--help-advanced", "show all options");
  return text;
}

}  // namespace hprof::cli
