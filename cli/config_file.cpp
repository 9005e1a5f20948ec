// SPDX-License-Identifier: Apache-2.0
#include "config_file.h"

#include "config_value.h"
#include "harmony_config.h"
#include "setting_value.h"
#include "suggest.h"
#include "toml_text.h"

#include <hprof/core/base/stream.h>
#include <hprof/core/base/unique_fd.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

namespace hprof::cli {
namespace {

constexpr std::string_view kName = "hprof.toml";
constexpr std::int64_t kNewestVersion = 1;
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

Error malformed(const std::string& place, std::string_view what, std::string hint = {}) {
  return {ErrorKind::malformed_input, fmt::format("{}: {}", place, what), std::move(hint)};
}

/// ", did you mean KEY" among the keys of `section`, or among the sections if it is empty.
std::string nearest_key(std::string_view word, std::string_view section) {
  std::vector<std::string_view> names = {};
  if (section.empty()) names.push_back("version");
  for (const Setting* setting : all_settings()) {
    const std::string_view key = setting->key;
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos) continue;
    if (section.empty()) {
      names.push_back(key.substr(0, dot));
    } else if (key.substr(0, dot) == section) {
      names.push_back(key);
    }
  }
  return did_you_mean(word, names);
}

bool is_section(std::string_view name) {
  for (const Setting* setting : all_settings()) {
    if (setting->key.starts_with(fmt::format("{}.", name))) return true;
  }
  return false;
}

class Applier {
 public:
  Applier(const std::string& name, LoadedOptions& loaded) : name_(name), loaded_(loaded) {}

  Result<void> apply(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (key.str() == "version") {
        HPROF_TRY(check_version(node));
      } else if (!is_section(key.str())) {
        return malformed(place(key.source()),
                         fmt::format("{}: unknown key{}", key.str(), nearest_key(key.str(), "")));
      } else if (!node.is_table()) {
        return malformed(place(node.source()), fmt::format("{}: must be a section, not {}",
                                                           key.str(), toml_type_name(node)));
      } else {
        HPROF_TRY(apply_section(key.str(), *node.as_table()));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::string place(const toml::source_region& region) const {
    return toml_place(name_, region);
  }

  [[nodiscard]] Result<void> check_version(const toml::node& node) const {
    const auto* version = node.as_integer();
    if (version == nullptr) {
      return malformed(place(node.source()), fmt::format("version: must be a whole number, not {}",
                                                         toml_type_name(node)));
    }
    if (version->get() < 1 || version->get() > kNewestVersion) {
      return malformed(place(node.source()),
                       fmt::format("version: this hprof knows version {}, not {}", kNewestVersion,
                                   version->get()));
    }
    return {};
  }

  Result<void> apply_section(std::string_view section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string full = fmt::format("{}.{}", section, key.str());
      const Setting* setting = find_key(full);
      if (setting == nullptr) {
        return malformed(place(key.source()),
                         fmt::format("{}: unknown key{}", full, nearest_key(full, section)));
      }
      HPROF_TRY(apply_setting(*setting, node));
    }
    return {};
  }

  Result<void> apply_setting(const Setting& old, const toml::node& node) {
    const Setting* setting = &old;
    if (!old.replaced_by.empty()) {
      setting = find_key(old.replaced_by);
      HPROF_CHECK(setting != nullptr);
      loaded_.notices.push_back(
          fmt::format("{}: {} is called {} now", place(node.source()), old.key, setting->key));
    }
    const auto set = [&]() -> Result<void> {
      HPROF_ASSIGN(const std::vector<std::string> texts, config_texts(*setting, node));
      return set_from_config(*setting, texts, loaded_.options);
    };
    if (const auto done = set(); !done) {
      return malformed(place(node.source()), fmt::format("{}: {}", old.key, done.error().message),
                       done.error().hint);
    }
    loaded_.origins[setting] = fmt::format("{}:{}", name_, node.source().begin.line);
    return {};
  }

  const std::string& name_;
  LoadedOptions& loaded_;
};

Result<void> apply_harmony(std::string_view text, const std::string& name, LoadedOptions& loaded) {
  HPROF_ASSIGN(const HarmonyConfig config, read_harmony_config(text, name));
  for (const std::string& warning : config.warnings) loaded.notices.push_back(warning);
  for (const HarmonySetting& one : settings_of_harmony(config, loaded.notices)) {
    const Setting* setting = find_key(one.key);
    if (setting == nullptr) continue;
    if (const auto done = set_from_config(*setting, one.values, loaded.options); !done) {
      return malformed(name, fmt::format("[Pprof]: {}", done.error().message), done.error().hint);
    }
    loaded.origins[setting] = name;
  }
  loaded.options.harmony.disabled_in = config.pprof.enabled ? "" : name;
  loaded.options.harmony.without_names = config.pprof.names.empty() ? name : "";
  if (const std::string notice = harmony_notice(config, name); !notice.empty()) {
    loaded.notices.push_back(notice);
  }
  return {};
}

std::optional<std::string> variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  if (found == environment.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

/// A config that anybody could have left in a shared folder must not steer a privileged profiler.
bool is_trusted(const std::string& path, const Environment& environment) {
  struct stat there = {};
  if (::stat(path.c_str(), &there) != 0) return true;
  const auto sudo_user = variable(environment, "SUDO_UID");
  const bool ours = there.st_uid == ::geteuid() || there.st_uid == ::getuid() ||
                    there.st_uid == 0 ||
                    (sudo_user && *sudo_user == fmt::format("{}", there.st_uid));
  return ours && (there.st_mode & S_IWOTH) == 0;
}

/// The whole file; a pipe is fine too.
Result<std::string> read_config(const std::string& path) {
  const UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.valid()) return system_error(errno, fmt::format("{}: cannot read", path));
  FdSource source{file.get()};
  const auto bytes = read_all(source, kMaxBytes);
  if (!bytes) return bytes.error().within(path);
  return std::string{as_text(*bytes)};
}

/// Who names a file means something by it; one without any setting is a mistake.
Result<void> refuse_empty(std::string_view text, const std::string& name) {
  HPROF_ASSIGN(const toml::table root, parse_toml(text, name));
  if (!root.empty()) return {};
  HPROF_TRY(read_harmony_config(text, name));
  return {};
}

}  // namespace

std::vector<std::string> config_paths(const std::string& config_flag,
                                      const Environment& environment) {
  if (!config_flag.empty()) return {config_flag};
  std::vector<std::string> paths = {fmt::format("/etc/hprof/{}", kName)};
  if (const auto folder = variable(environment, "XDG_CONFIG_HOME")) {
    paths.push_back(fmt::format("{}/hprof/{}", *folder, kName));
  } else if (const auto home = variable(environment, "HOME")) {
    paths.push_back(fmt::format("{}/.config/hprof/{}", *home, kName));
  }
  paths.emplace_back(kName);
  return paths;
}

Result<void> apply_config_files(const std::string& config_flag, const Environment& environment,
                                LoadedOptions& loaded) {
  for (const std::string& path : config_paths(config_flag, environment)) {
    if (config_flag.empty()) {
      if (::access(path.c_str(), F_OK) != 0) continue;
      if (path == kName && !is_trusted(path, environment)) {
        loaded.notices.push_back(fmt::format(
            "{} in this folder is not read: it belongs to another user or all may write to it",
            path));
        continue;
      }
    }
    HPROF_ASSIGN(const std::string text, read_config(path));
    HPROF_TRY(apply_config_text(text, path, loaded));
    if (!config_flag.empty()) HPROF_TRY(refuse_empty(text, path));
  }
  return {};
}

Result<void> apply_config_text(std::string_view text, const std::string& name,
                               LoadedOptions& loaded) {
  HPROF_ASSIGN(const toml::table root, parse_toml(text, name));
  // An empty file could be either and says nothing.
  if (!root.empty() && is_harmony_config(text)) return apply_harmony(text, name, loaded);
  return Applier{name, loaded}.apply(root);
}

}  // namespace hprof::cli
