// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <hprof/core/profile/kinds.h>
#include <hprof/formats/registry.h>

namespace hprof::cli {
namespace {

#define HPROF_SLOT(member) [](Options& o) -> SettingSlot { return &o.member; }

constexpr Visibility kShown = Visibility::shown;
constexpr Visibility kAdvanced = Visibility::advanced;

using Words = std::vector<std::string>;

Words kind_names() {
  Words names = {"all"};
  for (const Kind& kind : all_kinds()) {
    names.emplace_back(kind.name);
    if (!kind.alias.empty()) names.emplace_back(kind.alias);
  }
  return names;
}

Words writable_formats() {
  Words names;
  for (const formats::Format& format : formats::all_formats()) {
    if (format.write != nullptr) names.emplace_back(format.name);
  }
  return names;
}

Words readable_formats() {
  Words names;
  for (const formats::Format& format : formats::all_formats()) {
    if (format.read != nullptr) names.emplace_back(format.name);
  }
  return names;
}

Words granularity_names() {
  return {"functions", "filefunctions", "files", "lines", "addresses", "modules"};
}

Words engine_names() {
  return {"auto", "per-cpu", "per-thread", "ptrace"};
}
Words clock_names() {
  return {"auto", "cpu-clock", "task-clock", "cycles"};
}
Words unwind_names() {
  return {"auto", "tables", "fp"};
}

const Setting kTarget[] = {
    {"target.pid", "-p,--pid", Unit::list, "PID[,PID]", "processes to profile", kShown, kTargeting,
     HPROF_SLOT(target.pids)},
    {"target.name", "-n,--name", Unit::text, "NAME",
     "the process with this exact command or program name", kShown, kTargeting,
     HPROF_SLOT(target.name)},
    {"target.cgroup", "--cgroup", Unit::text, "PATH", "the processes of a cgroup", kShown,
     kTargeting, HPROF_SLOT(target.cgroup)},
    {"target.unit", "--unit", Unit::text, "NAME", "the processes of a systemd unit", kShown,
     kTargeting, HPROF_SLOT(target.unit)},
    {"target.pidfile", "--pidfile", Unit::text, "FILE", "the process whose PID is in FILE", kShown,
     kTargeting, HPROF_SLOT(target.pidfile)},
    {"target.children", "--children", Unit::flag, "",
     "follow children, those there and those to come", kShown, kCapturing,
     HPROF_SLOT(target.children)},
    {"", "--all-matches", Unit::flag, "", "take every process that --name matches", kShown,
     kTargeting, HPROF_SLOT(target.all_matches)},
    {"", "--wait", Unit::duration, "[=TIME]", "wait for the target to start", kShown, kCapturing,
     HPROF_SLOT(target.wait)},
    {"", "-a,--system", Unit::flag, "", "profile every process", kShown, kCapturing,
     HPROF_SLOT(target.system)},
    {"", "-t,--tid", Unit::list, "TID[,TID]", "only these threads", kShown, kCapturing,
     HPROF_SLOT(target.tids)},
    {"", "--thread", Unit::text, "REGEX", "only threads whose name matches", kShown, kCapturing,
     HPROF_SLOT(target.thread)},
    {"", "--proc-root", Unit::text, "DIR", "where the target's /proc is mounted", kAdvanced,
     kTargeting, HPROF_SLOT(target.proc_root)},
};

const Setting kRecording[] = {
    {"record.kinds", "-k,--kind", Unit::list, "KIND[,KIND]", "what to measure, or all", kShown,
     kRecord, HPROF_SLOT(record.kinds), kind_names},
    {"record.duration", "-d,--duration", Unit::duration, "TIME",
     "how long to record; until Ctrl-C without it", kShown, kRecord, HPROF_SLOT(record.duration)},
    {"record.rate", "-F,-r,--rate", Unit::rate, "HZ", "samples a second on each CPU", kShown,
     kCapturing & ~unsigned{kDump}, HPROF_SLOT(capture.rate)},
    {"", "-e,--event", Unit::text, "EVENT", "another perf event than the CPU clock", kShown,
     kRecord, HPROF_SLOT(capture.event)},
};

const Setting kDumping[] = {
    {"dump.folder", "--folder", Unit::text, "DIR", "where the profiles are kept", kShown, kDump,
     HPROF_SLOT(dump.folder)},
    {"dump.kinds", "-k,--kind", Unit::list, "KIND[,KIND]", "what to dump, or all", kShown, kDump,
     HPROF_SLOT(dump.kinds), kind_names},
    {"dump.interval", "--interval", Unit::duration, "TIME[,TIME]",
     "length of a window, for all kinds or each; 0: one file at the end", kShown, kDump,
     HPROF_SLOT(dump.intervals)},
    {"dump.debug", "--debug", Unit::count, "LEVEL[,LEVEL]",
     "0: pprof, 1 or 2: Go's text, for all kinds or each", kShown, kDump, HPROF_SLOT(dump.debug)},
    {"dump.rate", "-F,-r,--rate", Unit::rate, "HZ", "samples a second on each CPU", kShown, kDump,
     HPROF_SLOT(dump.rate)},
    {"", "-d,--duration", Unit::duration, "TIME", "how long to dump; until a signal without it",
     kShown, kDump, HPROF_SLOT(dump.duration)},
    {"dump.keep_count", "--keep-count", Unit::count, "N[,N]", "files kept of each kind", kShown,
     kDump, HPROF_SLOT(dump.keep_count)},
    {"dump.keep_age", "--keep-age", Unit::duration, "TIME[,TIME]",
     "how long files of each kind are kept; 0: for ever", kShown, kDump, HPROF_SLOT(dump.keep_age)},
    {"dump.keep_bytes", "--keep-bytes", Unit::bytes, "SIZE[,SIZE]",
     "space for files of each kind; 0: no bound", kShown, kDump, HPROF_SLOT(dump.keep_bytes)},
    {"dump.keep_free", "--keep-free", Unit::text, "PERCENT|SIZE",
     "below this much free space a new file takes the place of an old one", kShown, kDump,
     HPROF_SLOT(dump.keep_free)},
    {"", "--status-file", Unit::text, "FILE",
     "counts, last error and next cut as JSON; relative to the folder, empty: none", kAdvanced,
     kDump, HPROF_SLOT(dump.status_file)},
};

const Setting kServing[] = {
    {"serve.listen", "--listen", Unit::text, "ADDRESS", "where to listen: HOST:PORT or unix:PATH",
     kShown, kServe, HPROF_SLOT(serve.listen)},
    {"serve.token_file", "--token-file", Unit::text, "FILE", "clients must know the token in FILE",
     kShown, kServe, HPROF_SLOT(serve.token_file)},
    {"serve.for", "--for", Unit::duration, "TIME", "how long to serve", kShown, kServe,
     HPROF_SLOT(serve.duration)},
    {"serve.enabled", "--serve-enabled", Unit::flag, "",
     "what a config says; the command serves in any case", kAdvanced, kServe,
     HPROF_SLOT(serve.enabled)},
};

// The flags of a harmony node, three of them as hidden as they were there.
const Setting kHarmony[] = {
    {"", "--pprof", Unit::flag, "", "accepted from a harmony node's command line", kShown,
     kDump | kServe, HPROF_SLOT(harmony.pprof)},
    {"", "--pprof.addr", Unit::text, "ADDRESS", "as serve --listen", kShown, kDump | kServe,
     HPROF_SLOT(serve.listen)},
    {"", "--pprof.profile.names", Unit::list, "KIND[,KIND]", "as --kind", kShown, kDump | kServe,
     HPROF_SLOT(dump.kinds), kind_names},
    {"", "--pprof.folder", Unit::text, "DIR", "as --folder", kAdvanced, kDump | kServe,
     HPROF_SLOT(dump.folder)},
    {"", "--pprof.profile.intervals", Unit::duration, "SECONDS[,SECONDS]", "as --interval",
     kAdvanced, kDump | kServe, HPROF_SLOT(dump.intervals)},
    {"", "--pprof.profile.debug", Unit::count, "LEVEL[,LEVEL]", "as --debug", kAdvanced,
     kDump | kServe, HPROF_SLOT(dump.debug)},
};

const Setting kMigrating[] = {
    {"", "--check", Unit::flag, "", "exit 0 if FILE is of the newest form, 1 if not", kShown,
     kMigrate, HPROF_SLOT(migrate.check)},
    {"", "--dry-run", Unit::flag, "", "print what would change as a diff, write nothing", kShown,
     kMigrate, HPROF_SLOT(migrate.dry_run)},
    {"", "--default", Unit::flag, "", "print a commented default config", kShown, kMigrate,
     HPROF_SLOT(migrate.print_default)},
    {"", "--force", Unit::flag, "", "let -o overwrite a file that exists", kShown, kMigrate,
     HPROF_SLOT(migrate.force)},
    {"", "--yes", Unit::flag, "", "for scripts: nothing is ever asked", kAdvanced, kMigrate,
     HPROF_SLOT(migrate.yes)},
};

const Setting kConverting[] = {
    {"", "--input-format", Unit::text, "NAME", "format of the inputs, whatever they look like",
     kShown, kConvert, HPROF_SLOT(convert.input_format), readable_formats},
    {"", "--base", Unit::paths, "FILE", "subtract FILE; equal samples cancel", kShown, kConvert,
     HPROF_SLOT(convert.bases)},
    {"", "--diff-base", Unit::paths, "FILE", "compare with FILE: both sides stay visible", kShown,
     kConvert, HPROF_SLOT(convert.diff_bases)},
    {"", "--normalize", Unit::flag, "", "scale to the totals of the base first", kShown, kConvert,
     HPROF_SLOT(convert.normalize)},
    {"", "--focus", Unit::text, "REGEX", "only samples with a frame that matches", kShown, kConvert,
     HPROF_SLOT(convert.filter.focus)},
    {"", "--ignore", Unit::text, "REGEX", "no samples with a frame that matches", kShown, kConvert,
     HPROF_SLOT(convert.filter.ignore)},
    {"", "--hide", Unit::text, "REGEX", "leave out frames that match", kShown, kConvert,
     HPROF_SLOT(convert.filter.hide)},
    {"", "--show", Unit::text, "REGEX", "leave out frames that do not match", kShown, kConvert,
     HPROF_SLOT(convert.filter.show)},
    {"", "--show-from", Unit::text, "REGEX", "leave out callers above the highest match", kShown,
     kConvert, HPROF_SLOT(convert.filter.show_from)},
    {"", "--prune-from", Unit::text, "REGEX", "leave out what lies below the lowest match", kShown,
     kConvert, HPROF_SLOT(convert.filter.prune_from)},
    {"", "--prune", Unit::flag, "", "apply the profile's own drop_frames and keep_frames", kShown,
     kConvert, HPROF_SLOT(convert.filter.prune)},
    {"", "--tag-focus", Unit::text, "KEY=REGEX|RANGE",
     "only samples with such a label: thread=main, bytes=4kb:64kb", kShown, kConvert,
     HPROF_SLOT(convert.filter.tag_focus)},
    {"", "--tag-ignore", Unit::text, "KEY=REGEX|RANGE", "no samples with such a label", kShown,
     kConvert, HPROF_SLOT(convert.filter.tag_ignore)},
    {"", "--tag-show", Unit::text, "REGEX", "keep only labels whose key matches", kShown, kConvert,
     HPROF_SLOT(convert.filter.tag_show)},
    {"", "--tag-hide", Unit::text, "REGEX", "drop labels whose key matches", kShown, kConvert,
     HPROF_SLOT(convert.filter.tag_hide)},
    {"", "--tag-root", Unit::list, "KEY[,KEY]", "put the values of labels above the root", kShown,
     kConvert, HPROF_SLOT(convert.filter.tag_root)},
    {"", "--tag-leaf", Unit::list, "KEY[,KEY]", "put the values of labels below the leaf", kShown,
     kConvert, HPROF_SLOT(convert.filter.tag_leaf)},
    {"", "--sample-type", Unit::text, "TYPE", "the value that weighs outputs that hold one", kShown,
     kConvert, HPROF_SLOT(convert.sample_type)},
    {"", "--granularity", Unit::text, "NAME",
     "functions, filefunctions, files, lines, addresses or modules", kShown, kConvert,
     HPROF_SLOT(convert.granularity), granularity_names},
    {"", "--short-names", Unit::flag, "", "leave parameter lists out", kShown, kConvert,
     HPROF_SLOT(convert.short_names)},
    {"", "--symbolize", Unit::flag, "", "name frames that are addresses only", kShown, kConvert,
     HPROF_SLOT(convert.symbolize)},
    {"", "--demangle", Unit::flag, "", "demangle names that come mangled", kShown, kConvert,
     HPROF_SLOT(convert.demangle)},
    {"", "-k,--kind", Unit::list, "KIND[,KIND]", "which files of a dump folder", kShown, kConvert,
     HPROF_SLOT(convert.kinds), kind_names},
    {"", "--since", Unit::text, "TIME",
     "from this moment on: 2026-11-30T03:00:00Z, 03:00, @unix or -10m", kShown, kConvert,
     HPROF_SLOT(convert.since)},
    {"", "--until", Unit::text, "TIME", "up to this moment", kShown, kConvert,
     HPROF_SLOT(convert.until)},
    {"", "-e,--event", Unit::text, "EVENT", "only this event of several", kShown, kConvert,
     HPROF_SLOT(convert.event)},
    {"", "--recover", Unit::flag, "", "use what a damaged file still holds", kShown, kConvert,
     HPROF_SLOT(convert.recover)},
    {"", "--allow-empty", Unit::flag, "", "write a profile without samples too", kShown, kConvert,
     HPROF_SLOT(convert.allow_empty)},
    {"", "--inverted", Unit::flag, "", "flame graphs grow downwards", kShown, kConvert,
     HPROF_SLOT(convert.inverted)},
    {"", "--reverse", Unit::flag, "", "merge stacks from the leaf", kShown, kConvert,
     HPROF_SLOT(convert.reverse)},
    {"", "--min-width", Unit::percent, "PERCENT", "leave out frames narrower than this", kAdvanced,
     kConvert, HPROF_SLOT(convert.min_width)},
    {"", "--top", Unit::count, "N", "rows of text reports; 0: all", kShown, kConvert,
     HPROF_SLOT(convert.top_count)},
    {"", "--gzip-level", Unit::count, "N", "of pprof outputs: 0 (raw) to 9", kAdvanced, kConvert,
     HPROF_SLOT(convert.gzip_level)},
};

const Setting kOutput[] = {
    {"", "-o,--output", Unit::paths, "FILE", "where to write; the extension names the format",
     kShown, kRecord | kConvert | kMigrate, HPROF_SLOT(output.files)},
    {"", "-f,--format", Unit::text, "NAME", "output format, whatever the extension says", kShown,
     kRecord | kConvert, HPROF_SLOT(output.format), writable_formats},
    {"", "--title", Unit::text, "TEXT", "title of graphs", kShown, kRecord | kConvert,
     HPROF_SLOT(output.title)},
    {"", "-q,--quiet", Unit::flag, "", "errors only", kShown, kEvery, HPROF_SLOT(output.quiet)},
    {"", "-v,--verbose", Unit::flag, "", "say more", kShown, kEvery, HPROF_SLOT(output.verbose)},
    {"", "--json", Unit::flag, "", "the summary as one JSON object", kShown, kEvery,
     HPROF_SLOT(output.json)},
    {"", "--no-color", Unit::flag, "", "no colours on a terminal", kShown, kEvery,
     HPROF_SLOT(output.no_color)},
    {"", "--strict", Unit::flag, "", "exit 7 when the recording is of poor quality", kShown,
     kRecord, HPROF_SLOT(output.strict)},
    {"", "--max-lost", Unit::percent, "PERCENT", "exit 7 when more samples than this were lost",
     kShown, kRecord, HPROF_SLOT(output.max_lost)},
    {"", "--config", Unit::text, "FILE", "read settings from FILE", kShown, kEvery,
     HPROF_SLOT(config)},
    {"", "--print-config", Unit::flag, "", "show every setting in force and where it comes from",
     kShown, kEvery, HPROF_SLOT(print_config)},
};

const Setting kEngine[] = {
    {"", "--engine", Unit::text, "NAME",
     "how samples are taken: auto, per-cpu, per-thread or ptrace", kAdvanced, kTargeting,
     HPROF_SLOT(capture.engine), engine_names},
    {"", "--clock", Unit::text, "NAME",
     "what triggers samples: auto, cpu-clock, task-clock or cycles", kAdvanced, kCapturing,
     HPROF_SLOT(capture.clock), clock_names},
    {"", "--unwind", Unit::text, "NAME", "how stacks are followed: auto, tables or fp", kAdvanced,
     kCapturing, HPROF_SLOT(capture.unwind), unwind_names},
    {"", "--stack-bytes", Unit::bytes, "SIZE", "stack copied with each sample", kAdvanced,
     kCapturing, HPROF_SLOT(capture.stack_bytes)},
    {"", "--ring-kib", Unit::count, "KIB", "ring buffer of each CPU", kAdvanced, kCapturing,
     HPROF_SLOT(capture.ring_kib)},
    {"", "--max-frames", Unit::count, "N", "frames kept of one stack", kAdvanced, kCapturing,
     HPROF_SLOT(capture.max_frames)},
    {"", "-g,--call-graph", Unit::flag, "", "for the habit of perf: stacks are always recorded",
     kAdvanced, kCapturing, HPROF_SLOT(capture.call_graph)},
    {"", "--user-only", Unit::flag, "", "leave kernel frames out", kAdvanced, kCapturing,
     HPROF_SLOT(capture.user_only)},
};

const Setting kSymbols[] = {
    {"", "--debug-dir", Unit::paths, "DIR", "look for separate debug info here first", kAdvanced,
     kTargeting | kConvert, HPROF_SLOT(symbols.debug_dirs)},
    {"", "--sysroot", Unit::text, "DIR", "look for the target's files below DIR", kAdvanced,
     kTargeting | kConvert, HPROF_SLOT(symbols.sysroot)},
    {"", "--no-inlines", Unit::flag, "", "only physical functions", kAdvanced,
     kCapturing | kConvert, HPROF_SLOT(symbols.no_inlines)},
    {"", "--no-symbols", Unit::flag, "", "write addresses without looking names up", kAdvanced,
     kCapturing, HPROF_SLOT(symbols.no_symbols)},
    {"", "--debuginfod", Unit::flag, "", "ask the servers of DEBUGINFOD_URLS for debug info",
     kAdvanced, kCapturing | kConvert, HPROF_SLOT(symbols.debuginfod)},
    {"", "--no-symbol-cache", Unit::flag, "", "neither read nor write the symbol cache", kAdvanced,
     kCapturing | kConvert, HPROF_SLOT(symbols.no_cache)},
};

const Setting kLimits[] = {
    {"limits.max_cpu", "--max-cpu", Unit::percent, "PERCENT", "share of one core hprof may use",
     kAdvanced, kCapturing, HPROF_SLOT(limits.max_cpu)},
    {"limits.max_memory", "--max-memory", Unit::bytes, "SIZE", "memory hprof may use", kAdvanced,
     kCapturing | kConvert, HPROF_SLOT(limits.max_memory)},
};

#undef HPROF_SLOT

constexpr SettingGroup kGroups[] = {
    {"Target", kTarget},   {"Recording", kRecording}, {"Dump", kDumping},  {"Serve", kServing},
    {"Harmony", kHarmony}, {"Migration", kMigrating}, {"Conversion", kConverting},
    {"Output", kOutput},   {"Engine", kEngine},
    {"Symbols", kSymbols}, {"Limits", kLimits},
};

}  // namespace

std::span<const SettingGroup> setting_groups() {
  return kGroups;
}

const std::vector<const Setting*>& all_settings() {
  static const std::vector<const Setting*> all = [] {
    std::vector<const Setting*> flat;
    for (const SettingGroup& group : setting_groups()) {
      for (const Setting& setting : group.settings) flat.push_back(&setting);
    }
    return flat;
  }();
  return all;
}

std::string_view long_flag(const Setting& setting) {
  return setting.flag.substr(setting.flag.find("--"));
}

std::string variable_name(const Setting& setting) {
  if (setting.key.empty()) return {};
  std::string name = "HPROF_";
  for (const char c : setting.key) {
    name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

const Setting* find_key(std::string_view key) {
  for (const Setting* setting : all_settings()) {
    if (!key.empty() && setting->key == key) return setting;
  }
  return nullptr;
}

}  // namespace hprof::cli
