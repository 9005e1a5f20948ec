// SPDX-License-Identifier: Apache-2.0
#include "man_page.h"

#include "flag_names.h"
#include "help.h"

#include <fmt/format.h>

namespace hprof::cli {
namespace {

/// Text as roff shows it: hyphens are minus signs, a leading dot or quote is no macro.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      out += c;
    }
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

/// Breaks one line of roff text at spaces, so that the source stays readable.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kWidth = 78;
  std::string out;
  while (text.size() > kWidth) {
    const std::size_t space = text.rfind(' ', kWidth);
    if (space == std::string_view::npos || space == 0) break;
    out += fmt::format("{}\n", text.substr(0, space));
    text.remove_prefix(space + 1);
    if (text.starts_with(".") || text.starts_with("'")) out += "\\&";
  }
  return fmt::format("{}{}\n", out, text);
}

std::string upper(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string header(std::string_view name) {
  return fmt::format(".TH {} 1 \"{}\" \"hprof {}\" \"hprof\"\n", upper(name), HPROF_RELEASE_DATE,
                     HPROF_VERSION);
}

std::string capitalized(std::string_view text) {
  std::string out{text};
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

/// "\fB\-F\fR, \fB\-\-rate\fR \fIHZ\fR".
std::string tag(const Setting& setting) {
  std::string text;
  for (const std::string_view name : flag_names(setting)) {
    text += fmt::format("{}\\fB{}\\fR", text.empty() ? "" : ", ", roff(name));
  }
  if (setting.value.empty()) return text;
  return fmt::format("{}{}\\fI{}\\fR", text, setting.value.starts_with("[") ? "" : " ",
                     roff(setting.value));
}

std::string option(const Setting& setting) {
  std::string text =
      fmt::format(".TP\n{}\n{}", tag(setting), wrapped(roff(capitalized(setting.help)) + "."));
  if (setting.choices != nullptr) {
    text += wrapped(roff(fmt::format("One of: {}.", fmt::join(setting.choices(), ", "))));
  }
  if (const std::string value = default_text(setting); !value.empty()) {
    text += wrapped(roff(fmt::format("Default: {}.", value)));
  }
  if (!setting.key.empty()) {
    text += fmt::format("Key \\fB{}\\fR, variable \\fB{}\\fR.\n", roff(setting.key),
                        variable_name(setting));
  }
  return text;
}

std::string tier(const Command& command, Visibility visibility) {
  std::string text;
  for (const SettingGroup& group : setting_groups()) {
    std::string options;
    for (const Setting& setting : group.settings) {
      if (is_in_tier(setting, command, visibility)) options += option(setting);
    }
    if (!options.empty()) text += fmt::format(".SS {}\n{}", group.heading, options);
  }
  return text;
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n\\fB0\\fR\nDone.\n"
    ".TP\n\\fB1\\fR\nFailed.\n"
    ".TP\n\\fB2\\fR\nWrong usage: a flag, a variable or a combination of them.\n"
    ".TP\n\\fB3\\fR\nNo permission.\n"
    ".TP\n\\fB4\\fR\nThe target was not found, or was gone before the first sample.\n"
    ".TP\n\\fB5\\fR\nMalformed input, or a malformed config file.\n"
    ".TP\n\\fB6\\fR\nNothing recorded.\n"
    ".TP\n\\fB7\\fR\nA quality gate (\\fB\\-\\-strict\\fR, \\fB\\-\\-max\\-lost\\fR) was not met.\n"
    ".TP\n\\fB70\\fR\nInternal error.\n";

constexpr std::string_view kFiles =
    ".SH FILES\n"
    ".TP\n\\fI/etc/hprof/hprof.toml\\fR, \\fI$XDG_CONFIG_HOME/hprof/hprof.toml\\fR, "
    "\\fIhprof.toml\\fR\n"
    "Settings, the later file winning.\n"
    "A variable wins over a file, a flag over a variable.\n";

std::string paragraph(std::string_view prose) {
  std::string text{prose};
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

}  // namespace

std::string program_page(std::string_view prose) {
  std::string text = header("hprof");
  text += ".SH NAME\nhprof \\- profiles any running Linux process from the outside\n";
  text += ".SH SYNOPSIS\n\\fBhprof\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n";
  text += ".SH COMMANDS\n";
  for (const Command& command : all_commands()) {
    text += fmt::format(".TP\n\\fBhprof\\-{}\\fR(1)\n{}.\n", roff(command.name),
                        roff(capitalized(command.summary)));
  }
  text += paragraph(prose);
  text += kFiles;
  text += kExitStatus;
  return text;
}

std::string command_page(const Command& command, std::string_view prose) {
  std::string text = header(fmt::format("hprof-{}", command.name));
  text += fmt::format(".SH NAME\nhprof\\-{} \\- {}\n", roff(command.name), roff(command.summary));
  text +=
      fmt::format(".SH SYNOPSIS\n\\fBhprof {}\\fR {}\n", roff(command.name), roff(command.usage));
  text += prose.empty() ? fmt::format(".SH DESCRIPTION\n{}.\n", roff(capitalized(command.summary)))
                        : paragraph(prose);
  text += ".SH OPTIONS\n" + tier(command, Visibility::shown);
  text +=
      ".SS Help\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the everyday options.\n"
      ".TP\n\\fB\\-\\-help\\-advanced\\fR\nShow all options.\n";
  text += kExitStatus;
  text += ".SH SEE ALSO\n\\fBhprof\\fR(1)\n";
  if (const std::string advanced = tier(command, Visibility::advanced); !advanced.empty()) {
    text += ".SH OPTIONS FOR DEVELOPERS\nThese do not appear in \\fB\\-\\-help\\fR.\n" + advanced;
  }
  return text;
}

}  // namespace hprof::cli
