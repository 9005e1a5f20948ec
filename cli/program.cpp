// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"
#include "commands.h"
#include "help.h"
#include "load_options.h"
#include "print_config.h"
#include "suggest.h"

#include <fmt/format.h>

#include <cstdio>

namespace hprof::cli {
namespace {

int report(const Error& error) {
  fmt::print(stderr, "hprof: {}\n", error.message);
  if (!error.hint.empty()) fmt::print(stderr, "hint: {}\n", error.hint);
  return exit_code(error.kind);
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789,") == std::string_view::npos;
}

Error unknown_command(std::string_view word) {
  if (word.starts_with("-") || is_number(word)) {
    return {ErrorKind::usage, fmt::format("no command in front of '{}'", word),
            fmt::format("did you mean hprof record {} …", word)};
  }
  std::vector<std::string_view> names;
  for (const Command& command : all_commands()) names.push_back(command.name);
  return {ErrorKind::usage, fmt::format("unknown command '{}'{}", word, did_you_mean(word, names)),
          fmt::format("commands: {}", fmt::join(names, ", "))};
}

void say_notices(const LoadedOptions& loaded) {
  for (const std::string& notice : loaded.notices) {
    if (!loaded.options.output.quiet) fmt::print(stderr, "hprof: {}\n", notice);
  }
}

Result<int> run_command(const Command& command, std::span<const std::string> args) {
  HPROF_ASSIGN(const Arguments arguments, parse_arguments(command, args));
  if (arguments.help || arguments.help_advanced) {
    fmt::print("{}", command_help(command, arguments.help_advanced ? Tier::all : Tier::everyday));
    return 0;
  }
  HPROF_ASSIGN(LoadedOptions loaded, load_options(command, arguments, process_environment()));
  say_notices(loaded);
  if (command.check != nullptr) HPROF_TRY(command.check(loaded));
  if (loaded.options.print_config) {
    fmt::print("{}", print_config(command, loaded));
    return 0;
  }
  loaded.options.reload = [&command, &arguments]() -> Result<std::shared_ptr<Options>> {
    HPROF_ASSIGN(LoadedOptions again, load_options(command, arguments, process_environment()));
    say_notices(again);
    if (command.check != nullptr) HPROF_TRY(command.check(again));
    return std::make_shared<Options>(std::move(again.options));
  };
  return command.run(loaded.options);
}

Result<int> run_words(std::span<const std::string> words) {
  if (words.empty()) {
    return Error{ErrorKind::usage, "no command given", "see hprof --help"};
  }
  const std::string& first = words[0];
  if (first == "--version" || first == "-V") {
    fmt::print("hprof {}\n", HPROF_VERSION);
    return 0;
  }
  const bool help = first == "--help" || first == "-h" || first == "help";
  if (help && words.size() > 1 && !words[1].starts_with("-")) {
    const Command* command = find_command(words[1]);
    if (command == nullptr) return unknown_command(words[1]);
    fmt::print("{}", command_help(*command, Tier::everyday));
    return 0;
  }
  if (help || first == "--help-advanced") {
    fmt::print("{}", program_help());
    return 0;
  }
  const Command* command = find_command(first);
  if (command == nullptr) return unknown_command(first);
  return run_command(*command, words.subspan(1));
}

}  // namespace

int run_program(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  Result<int> status = run_words(words);
  return status ? *status : report(status.error());
}

}  // namespace hprof::cli
