// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include "suggest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace hprof::cli {
namespace {

struct AddedOption {
  const Setting* setting;
  CLI::Option* option;
};

bool value_may_be_missing(const Setting& setting) {
  return setting.value.starts_with("[=");
}

CLI::Option* add_option(CLI::App& app, const Setting& setting) {
  const std::string flag{setting.flag};
  if (setting.unit == Unit::flag || value_may_be_missing(setting)) {
    return app.add_flag(flag)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  // The texts are read by setting_value.cpp, as those of variables and files are.
  return app.add_option(flag, [](const CLI::results_t&) { return true; })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

Error unknown_option(const Command& command, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  std::vector<std::string_view> names = {"--help", "--help-advanced"};
  for (const Setting* setting : all_settings()) {
    if ((setting->commands & command.bit) != 0) names.push_back(long_flag(*setting));
  }
  return {ErrorKind::usage, fmt::format("unknown option {}{}", name, did_you_mean(name, names)),
          fmt::format("see hprof {} --help", command.name)};
}

/// CLI11 says "--pid: 1 required  missing".
Error as_usage_error(const CLI::ParseError& problem, const Command& command) {
  const std::string what = problem.what();
  const bool mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr;
  return {ErrorKind::usage, mismatch ? what.substr(0, what.find(':')) + " needs a value" : what,
          fmt::format("see hprof {} --help", command.name)};
}

/// CLI11 wants the words back to front.
std::vector<std::string> reversed(std::span<const std::string> args) {
  return {args.rbegin(), args.rend()};
}

}  // namespace

Result<Arguments> parse_arguments(const Command& command, std::span<const std::string> args) {
  Arguments parsed;
  if (command.positional == Positional::targets) {
    const auto dashes = std::ranges::find(args, "--");
    if (dashes != args.end()) {
      parsed.command.assign(dashes + 1, args.end());
      args = args.first(static_cast<std::size_t>(dashes - args.begin()));
    }
  }
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help", parsed.help);
  app.add_flag("--help-advanced", parsed.help_advanced);
  app.add_option("words", parsed.words);
  std::vector<AddedOption> added;
  for (const Setting* setting : all_settings()) {
    if ((setting->commands & command.bit) == 0) continue;
    added.push_back({setting, add_option(app, *setting)});
  }
  try {
    app.parse(reversed(args));
  } catch (const CLI::ParseError& problem) {
    return as_usage_error(problem, command);
  }
  if (parsed.help || parsed.help_advanced) return parsed;
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') return unknown_option(command, word);
    parsed.words.push_back(word);
  }
  for (const AddedOption& one : added) {
    if (one.option->count() > 0) parsed.flags.emplace_back(one.setting, one.option->results());
  }
  return parsed;
}

}  // namespace hprof::cli
