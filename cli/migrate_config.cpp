// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "config_file.h"
#include "file_replace.h"
#include "harmony_edit.h"
#include "native_config.h"
#include "output_file.h"
#include "unified_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

namespace hprof::cli {
namespace {

/// What a file is and what it would become.
struct Migration {
  std::string name;
  std::string before;
  std::string after;
  std::string section;  ///< where something is missing: "[Pprof]"
  std::string missing;  ///< "Folder, ProfileNames"
  std::vector<std::string> warnings;

  [[nodiscard]] bool newest() const { return before == after; }
};

Result<void> plan_harmony(Migration& m, bool to_native) {
  HPROF_ASSIGN(HarmonyConfig config, read_harmony_config(m.before, m.name));
  m.warnings = config.warnings;
  m.section = "[Pprof]";
  m.missing = fmt::format("{}", fmt::join(config.missing, ", "));
  if (to_native) {
    m.after = native_config_of(config, m.name, m.warnings);
    return {};
  }
  HPROF_ASSIGN(m.after, complete_harmony_config(m.before, config, m.name));
  return {};
}

Result<Migration> plan(const std::string& path, bool to_native) {
  Migration m;
  m.name = path;
  HPROF_ASSIGN(m.before, read_text_file(path));
  if (is_harmony_config(m.before)) {
    HPROF_TRY(plan_harmony(m, to_native));
  } else {
    // Whatever a command would refuse is refused here, too.
    LoadedOptions scratch;
    HPROF_TRY(apply_config_text(m.before, path, scratch));
    m.warnings = scratch.notices;
    HPROF_ASSIGN(m.after, migrate_native_config(m.before, path));
    m.section = "the file";
    m.missing = "version = 1";
  }
  return m;
}

void say(const Options& options, const std::string& line) {
  if (!options.output.quiet) fmt::print(stderr, "hprof: {}\n", line);
}

/// Writes to where -o says, "-" being standard output.
Result<void> put(const Options& options, std::string_view text) {
  const std::string& path = options.output.files.front();
  if (path == "-") return write_stdout(text);
  HPROF_TRY(create_text_file(path, text, options.migrate.force));
  say(options, fmt::format("wrote {}", path));
  return {};
}

Result<int> print_default(const Options& options) {
  if (options.output.files.empty()) {
    HPROF_TRY(write_stdout(default_native_config()));
  } else {
    HPROF_TRY(put(options, default_native_config()));
  }
  return 0;
}

Result<int> migrate_in_place(const Options& options, const Migration& m) {
  if (m.newest()) {
    say(options, fmt::format("{}: already newest, nothing written", m.name));
    return 0;
  }
  HPROF_ASSIGN(const std::string backup, back_up_file(m.name));
  HPROF_TRY(replace_text_file(m.name, m.after));
  say(options,
      fmt::format("{}: {} now has {}; the original is {}", m.name, m.section, m.missing,
                           backup));
  return 0;
}

Result<void> check_usage(const Options& options) {
  const MigrateOptions& migrate = options.migrate;
  if (options.inputs.size() != (migrate.print_default ? 0U : 1U)) {
    return Error{ErrorKind::usage,
                 migrate.print_default
                     ? "--default takes no FILE"
                     : fmt::format("expected one FILE, got {}", options.inputs.size()),
                 "hprof migrate-config harmony.conf"};
  }
  if (options.output.files.size() > 1) {
    return Error{
        ErrorKind::usage, "migrate-config writes one file, -o was given several times", {}};
  }
  if (migrate.check && (migrate.dry_run || !options.output.files.empty())) {
    return Error{
        ErrorKind::usage, "--check writes nothing, so it goes with neither -o nor --dry-run", {}};
  }
  return {};
}

}  // namespace

Result<int> run_migrate_config(Options& options) {
  HPROF_TRY(check_usage(options));
  if (options.migrate.print_default) return print_default(options);
  const bool to_file = !options.output.files.empty();
  HPROF_ASSIGN(const Migration m, plan(options.inputs.front(), to_file));
  for (const std::string& warning : m.warnings) say(options, "warning: " + warning);
  if (options.migrate.check) {
    say(options, m.newest() ? fmt::format("{}: newest", m.name)
                            : fmt::format("{}: {} lacks {}", m.name, m.section, m.missing));
    return m.newest() ? 0 : 1;
  }
  if (options.migrate.dry_run) {
    const std::string target = to_file ? options.output.files.front() : m.name;
    HPROF_TRY(write_stdout(unified_diff(to_file ? std::string_view{} : m.before, m.after,
                                      to_file ? "/dev/null" : m.name, target)));
    return 0;
  }
  if (!to_file) return migrate_in_place(options, m);
  HPROF_TRY(put(options, m.after));
  return 0;
}

}  // namespace hprof::cli
