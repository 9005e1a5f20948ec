// SPDX-License-Identifier: Apache-2.0
#include "print_config.h"

#include "setting_value.h"

#include <fmt/format.h>

#include <map>

namespace hprof::cli {
namespace {

std::string origin_of(const LoadedOptions& loaded, const Setting& setting) {
  const auto found = loaded.origins.find(&setting);
  return found == loaded.origins.end() ? "default" : found->second;
}

std::string key_line(LoadedOptions& loaded, const Setting& setting) {
  const std::string_view key = setting.key.substr(setting.key.find('.') + 1);
  const std::string value = value_toml(setting, loaded.options);
  const std::string left =
      value.empty() ? fmt::format("# {} =", key) : fmt::format("{} = {}", key, value);
  return fmt::format("{:<40} # {}\n", left, value.empty() ? "not set" : origin_of(loaded, setting));
}

}  // namespace

std::string print_config(const Command& command, LoadedOptions& loaded) {
  // Sections in the order in which they first appear; a section must not be opened twice.
  std::vector<std::string_view> order;
  std::map<std::string_view, std::string> sections;
  std::string flags;
  for (const Setting* setting : all_settings()) {
    if (!setting->replaced_by.empty() || (setting->commands & command.bit) == 0) continue;
    if (setting->key.empty()) {
      if (!loaded.origins.contains(setting) || setting->flag == "--print-config") continue;
      flags += fmt::format("# {} {}\n", long_flag(*setting), value_text(*setting, loaded.options));
      continue;
    }
    const std::string_view section = setting->key.substr(0, setting->key.find('.'));
    if (!sections.contains(section)) order.push_back(section);
    sections[section] += key_line(loaded, *setting);
  }
  std::string text = "version = 1\n";
  for (const std::string_view section : order) {
    text += fmt::format("\n[{}]\n{}", section, sections[section]);
  }
  if (!flags.empty()) text += fmt::format("\n# flags without a key:\n{}", flags);
  return text;
}

}  // namespace hprof::cli
