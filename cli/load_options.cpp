// SPDX-License-Identifier: Apache-2.0
#include "load_options.h"

#include "config_file.h"
#include "harmony_flags.h"
#include "setting_value.h"
#include "suggest.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace hprof::cli {
namespace {

bool belongs_to(const Setting& setting, const Command& command) {
  return (setting.commands & command.bit) != 0;
}

/// A variable that nobody knows but that is nearly the name of one of ours was meant for us. Others
/// are left alone: a cluster names variables after its services, and one may be called hprof.
Result<void> check_names(const Environment& environment) {
  std::vector<std::string> names;
  for (const Setting* setting : all_settings()) {
    if (!setting->key.empty()) names.push_back(variable_name(*setting));
  }
  for (auto at = environment.lower_bound("HPROF_"); at != environment.end(); ++at) {
    if (!at->first.starts_with("HPROF_")) break;
    for (const std::string& name : names) {
      const std::size_t distance = edit_distance(at->first, name);
      if (distance == 0) break;
      if (distance > 2) continue;
      return Error{ErrorKind::usage,
                   fmt::format("unknown variable {}, did you mean {}", at->first, name),
                   {}};
    }
  }
  return {};
}

Result<void> apply_environment(const Command& command, const Environment& environment,
                               LoadedOptions& loaded) {
  HPROF_TRY(check_names(environment));
  for (const Setting* setting : all_settings()) {
    if (setting->key.empty() || !belongs_to(*setting, command)) continue;
    const auto found = environment.find(variable_name(*setting));
    // An empty variable is how a shell script says "not set".
    if (found == environment.end() || found->second.empty()) continue;
    const std::string text[] = {found->second};
    if (const auto done = assign(*setting, loaded.options, text); !done) {
      return done.error().within(found->first);
    }
    loaded.origins[setting] = found->first;
  }
  return {};
}

Result<void> apply_flags(const Command& command, const Arguments& arguments,
                         LoadedOptions& loaded) {
  for (const auto& [setting, texts] : arguments.flags) {
    if (const auto done = assign(*setting, loaded.options, texts); !done) {
      return done.error().within(long_flag(*setting));
    }
    loaded.origins[setting] = "flag";
  }
  settle_harmony_flags(arguments, loaded);
  if (arguments.words.empty()) return {};
  if (command.positional == Positional::none) {
    return Error{ErrorKind::usage, fmt::format("unexpected argument '{}'", arguments.words[0]),
                 fmt::format("see hprof {} --help", command.name)};
  }
  if (command.positional == Positional::files) {
    loaded.options.inputs = arguments.words;
    return {};
  }
  const Setting* pid = find_key("target.pid");
  std::vector<std::string> all = arguments.words;
  if (loaded.origins.contains(pid) && loaded.origins[pid] == "flag") {
    all.insert(all.begin(), loaded.options.target.pids.begin(), loaded.options.target.pids.end());
  }
  HPROF_TRY(assign(*pid, loaded.options, all));
  loaded.origins[pid] = "flag";
  return {};
}

/// What --config says; it must be known before anything else is.
std::string config_flag(const Arguments& arguments) {
  Options only;
  for (const auto& [setting, texts] : arguments.flags) {
    if (setting->flag == "--config" && assign(*setting, only, texts)) return only.config;
  }
  return {};
}

/// Whether anything was said of dumps. A harmony node that lists no profile wrote none, though its
/// file has a folder and intervals.
bool says_dump(const LoadedOptions& loaded) {
  return std::ranges::any_of(loaded.origins, [&loaded](const auto& entry) {
    const auto& [setting, origin] = entry;
    if (setting->flag == "--pprof.profile.names") return true;
    return setting->key.starts_with("dump.") && origin != loaded.options.harmony.without_names;
  });
}

}  // namespace

Environment process_environment() {
  Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

Result<LoadedOptions> load_options(const Command& command, const Arguments& arguments,
                                   const Environment& environment) {
  LoadedOptions loaded;
  if (command.reads_config) {
    HPROF_TRY(apply_config_files(config_flag(arguments), environment, loaded));
  }
  HPROF_TRY(apply_environment(command, environment, loaded));
  HPROF_TRY(apply_flags(command, arguments, loaded));
  loaded.options.target.command = arguments.command;
  loaded.options.dump.wanted = says_dump(loaded);
  return loaded;
}

}  // namespace hprof::cli
