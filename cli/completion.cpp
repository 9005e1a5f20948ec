// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include "flag_names.h"

#include <fmt/format.h>

#include <functional>

namespace hprof::cli {
namespace {

constexpr std::string_view kComment = "# Made from hprof's table of settings; do not edit.\n";

void for_each_flag(const Command& command, const std::function<void(const Setting&)>& visit) {
  for (const Setting* setting : all_settings()) {
    if (is_in_tier(*setting, command, Visibility::shown)) visit(*setting);
  }
}

std::string words_of(const Setting& setting) {
  return fmt::format("{}", fmt::join(setting.choices(), " "));
}

// --- bash

std::string bash_values(ValueKind kind, const Setting& setting) {
  switch (kind) {
    case ValueKind::words:
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", words_of(setting));
    case ValueKind::file:
      return "COMPREPLY=($(compgen -f -- \"$cur\"))";
    case ValueKind::folder:
      return "COMPREPLY=($(compgen -d -- \"$cur\"))";
    case ValueKind::pid:
      return "COMPREPLY=($(compgen -W \"$(cd /proc && echo [0-9]*)\" -- \"$cur\"))";
    default:
      return "COMPREPLY=()";
  }
}

std::string bash_command(const Command& command) {
  std::string flags = "-h --help --help-advanced";
  std::string cases;
  for_each_flag(command, [&](const Setting& setting) {
    const auto names = flag_names(setting);
    flags += fmt::format(" {}", fmt::join(names, " "));
    const ValueKind kind = value_kind(setting);
    if (kind == ValueKind::none) return;
    cases += fmt::format("        {}) {}; return ;;\n", fmt::join(names, "|"),
                         bash_values(kind, setting));
  });
  std::string text = fmt::format("    {})\n", command.name);
  if (!cases.empty()) text += fmt::format("      case \"$prev\" in\n{}      esac\n", cases);
  text += fmt::format("      flags='{}' ;;\n", flags);
  return text;
}

// --- zsh

/// Text inside a single-quoted _arguments description.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(ValueKind kind, const Setting& setting) {
  const std::string what = zsh_text(setting.value);
  switch (kind) {
    case ValueKind::none:
      return {};
    case ValueKind::words:
      return fmt::format(":{}:({})", what, words_of(setting));
    case ValueKind::file:
      return fmt::format(":{}:_files", what);
    case ValueKind::folder:
      return fmt::format(":{}:_files -/", what);
    case ValueKind::pid:
      return fmt::format(":{}:_pids", what);
    case ValueKind::anything:
      return fmt::format(":{}: ", what);
  }
  return {};
}

std::string zsh_command(const Command& command) {
  std::string text = fmt::format("    {})\n      _arguments -s \\\n", command.name);
  for_each_flag(command, [&](const Setting& setting) {
    for (const std::string_view name : flag_names(setting)) {
      text += fmt::format("        '*{}[{}]{}' \\\n", name, zsh_text(setting.help),
                          zsh_values(value_kind(setting), setting));
    }
  });
  text += "        '(-h --help)'{-h,--help}'[show the everyday options]' \\\n";
  text += "        '--help-advanced[show all options]' \\\n";
  switch (command.positional) {
    case Positional::targets:
      text += "        '*:PID:_pids'\n";
      break;
    case Positional::files:
      text += "        '*:FILE:_files'\n";
      break;
    case Positional::none:
      text += "        '*: : '\n";
      break;
  }
  return text + "      ;;\n";
}

// --- fish

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish_values(ValueKind kind, const Setting& setting) {
  switch (kind) {
    case ValueKind::none:
      return {};
    case ValueKind::words:
      return fmt::format(" -x -a '{}'", words_of(setting));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::pid:
      return " -x -a '(__fish_complete_pids)'";
    case ValueKind::anything:
      return " -x";
  }
  return {};
}

std::string fish_flag(const Command& command, const Setting& setting) {
  std::string names;
  for (const std::string_view name : flag_names(setting)) {
    names += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                    : fmt::format(" -s {}", name.substr(1));
  }
  return fmt::format("complete -c hprof -n '__fish_seen_subcommand_from {}'{}{} -d '{}'\n",
                     command.name, names, fish_values(value_kind(setting), setting),
                     fish_text(setting.help));
}

}  // namespace

std::string bash_completion() {
  std::string names;
  std::string cases;
  for (const Command& command : all_commands()) {
    names += fmt::format("{} ", command.name);
    cases += bash_command(command);
  }
  return fmt::format(
      "{}_hprof() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} flags=''\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{}--help --version' -- \"$cur\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [[ $cur == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
      "  fi\n"
      "}}\ncomplete -o filenames -F _hprof hprof\n",
      kComment, names, cases);
}

std::string zsh_completion() {
  std::string names;
  std::string cases;
  for (const Command& command : all_commands()) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
    cases += zsh_command(command);
  }
  return fmt::format(
      "#compdef hprof\n{}_hprof() {{\n"
      "  local -a commands\n  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    _arguments '--help[show the commands]' '--version[show the version]'\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n_hprof \"$@\"\n",
      kComment, names, cases);
}

std::string fish_completion() {
  std::string text{kComment};
  text += "complete -c hprof -n __fish_use_subcommand -l help -s h -d 'show the commands'\n";
  text += "complete -c hprof -n __fish_use_subcommand -l version -d 'show the version'\n";
  for (const Command& command : all_commands()) {
    text += fmt::format("complete -c hprof -f -n __fish_use_subcommand -a {} -d '{}'\n",
                        command.name, fish_text(command.summary));
    for_each_flag(command, [&](const Setting& setting) { text += fish_flag(command, setting); });
    text += fmt::format(
        "complete -c hprof -n '__fish_seen_subcommand_from {}' -s h -l help -d 'show the everyday "
        "options'\n",
        command.name);
  }
  return text;
}

}  // namespace hprof::cli
