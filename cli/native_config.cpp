// SPDX-License-Identifier: Apache-2.0
#include "native_config.h"

#include "setting_value.h"
#include "toml_text.h"

#include <fmt/format.h>

#include <map>

namespace hprof::cli {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string item(std::string_view key, std::string_view text) {
  if (text == "true" || text == "false") return std::string{text};
  if (key == "debug" && is_number(text)) return std::string{text};
  return toml_quoted(text);
}

bool is_list(std::string_view key) {
  return key == "kinds" || key == "interval" || key == "debug";
}

std::string pair(std::string_view key, const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += ", ";
    text += item(key, value);
  }
  return is_list(key) ? fmt::format("{} = [{}]\n", key, text) : fmt::format("{} = {}\n", key, text);
}

/// Version 0 is a file without the entry, from before anybody was told to write it.
Result<std::int64_t> native_version(const toml::table& root, const std::string& name) {
  const toml::node* node = root.get("version");
  if (node == nullptr) return std::int64_t{0};
  const std::string place = toml_place(name, node->source());
  const auto* value = node->as_integer();
  if (value == nullptr) {
    return Error{
        ErrorKind::malformed_input,
        fmt::format("{}: version: expected an integer, got {}", place, toml_type_name(*node)),
        {}};
  }
  if (value->get() < 1 || value->get() > kNativeConfigVersion) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("{}: version {} is not one this hprof reads; accepted: 1 to {}", place,
                             value->get(), kNativeConfigVersion),
                 {}};
  }
  return value->get();
}

std::string newline_of(std::string_view text) {
  return text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
}

/// 0 -> 1: the entry itself, above the first setting.
std::string add_version(std::string_view text) {
  const std::vector<TomlStatement> statements = scan_toml(text);
  const std::size_t at = statements.empty() ? text.size() : statements.front().line_begin;
  std::string out{text};
  const std::string newline = newline_of(text);
  const bool open_line = at > 0 && at == text.size() && text.back() != '\n';
  const bool table_next =
      !statements.empty() && statements.front().kind != TomlStatement::Kind::pair;
  out.insert(at, fmt::format("{}version = 1{}{}", open_line ? newline : "", newline,
                             table_next ? newline : ""));
  return out;
}

}  // namespace

std::string native_config_of(const HarmonyConfig& config, const std::string& name,
                             std::vector<std::string>& warnings) {
  std::string out = fmt::format(
      "# The [Pprof] section of {} (harmony config {}), as settings of hprof.\nversion = {}\n",
      toml_quoted(name), config.version.text(), kNativeConfigVersion);
  std::string_view section;
  const std::vector<HarmonySetting> settings = settings_of_harmony(config, warnings);
  for (const HarmonySetting& setting : settings) {
    const std::size_t dot = setting.key.find('.');
    if (setting.key.substr(0, dot) != section) {
      section = setting.key.substr(0, dot);
      out += fmt::format("\n[{}]\n", section);
    }
    out += pair(setting.key.substr(dot + 1), setting.values);
  }
  return out;
}

Result<std::string> migrate_native_config(std::string_view text, const std::string& name) {
  HPROF_ASSIGN(const toml::table root, parse_toml(text, name));
  HPROF_ASSIGN(const std::int64_t version, native_version(root, name));
  // The chain of steps, oldest first; each brings the text one version on.
  std::string out{text};
  if (version < 1) out = add_version(out);
  HPROF_ASSIGN(const toml::table after, parse_toml(out, name));
  HPROF_TRY(native_version(after, name));
  return out;
}

std::string default_native_config() {
  Options defaults;
  std::vector<std::string_view> order;
  std::map<std::string_view, std::string> sections;
  for (const Setting* setting : all_settings()) {
    if (setting->key.empty() || !setting->replaced_by.empty()) continue;
    const std::size_t dot = setting->key.find('.');
    const std::string_view section = setting->key.substr(0, dot);
    if (!sections.contains(section)) order.push_back(section);
    const std::string value = value_toml(*setting, defaults);
    sections[section] += fmt::format("# {}\n# {} ={}{}\n", setting->help,
                                     setting->key.substr(dot + 1), value.empty() ? "" : " ", value);
  }
  std::string out = fmt::format(
      "# hprof's settings with their defaults; take the # away to change one.\nversion = {}\n",
      kNativeConfigVersion);
  for (const std::string_view section : order) {
    out += fmt::format("\n[{}]\n{}", section, sections[section]);
  }
  return out;
}

}  // namespace hprof::cli
