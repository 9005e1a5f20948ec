// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include "dump_setup.h"

namespace hprof::cli {

namespace {
constexpr Command kCommands[] = {
    {"record", "one recording of a process, to one or several files",
     "[PID] [options] | [options] -- COMMAND [ARGUMENTS]", kRecord, Positional::targets, true,
     run_record},
    {"dump", "keeps recording: a file for every kind and interval, old ones go",
     "[PID] [options] | [options] -- COMMAND [ARGUMENTS]", kDump, Positional::targets, true,
     run_dump, check_dump_options},
    {"convert", "any profile in, any profile out: merge, compare, filter, report",
     "FILE… -o OUT [options]", kConvert, Positional::files, true, run_convert},
    {"migrate-config", "an old config file in, the newest form out, nothing lost",
     "FILE [options] | --default [-o FILE]", kMigrate, Positional::files, false,
     run_migrate_config},
    {"doctor", "what works here, what does not, and what to change", "[PID] [options]", kDoctor,
     Positional::targets, true, run_doctor},
};
}  // namespace

std::span<const Command> all_commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::failed:
    case ErrorKind::unsupported:
      return 1;
    case ErrorKind::usage:
      return 2;
    case ErrorKind::permission:
      return 3;
    case ErrorKind::target_gone:
      return 4;
    case ErrorKind::malformed_input:
      return 5;
    case ErrorKind::nothing_recorded:
      return 6;
    case ErrorKind::quality_gate:
      return 7;
  }
  return 70;
}

}  // namespace hprof::cli
