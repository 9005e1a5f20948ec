// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/filter.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hprof::cli {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): units of defaults

// Defaults are written here, once; settings.cpp has the flag, key and help of each member.

/// Whose time is taken.
struct TargetOptions {
  std::vector<std::string> pids;  ///< positional PID or -p PID[,PID...]
  std::string name;
  std::string cgroup;
  std::string unit;
  std::string pidfile;
  bool all_matches = false;
  bool children = false;
  bool system = false;
  std::optional<nanoseconds> wait;
  std::vector<std::string> tids;
  std::string thread;                ///< regular expression on thread names
  std::vector<std::string> command;  ///< after --
  std::string proc_root = "/proc";
};

/// How samples are taken, for record, dump, serve and live.
struct CaptureOptions {
  double rate = 99;
  std::string event;  ///< -e: another perf event
  std::string engine = "auto";
  std::string unwind = "auto";
  std::string clock = "auto";
  std::uint64_t stack_bytes = 65528;  ///< the most that perf_event_open(2) takes
  std::uint64_t ring_kib = 0;  ///< 0: as much as mlock allows, at most 2 MiB a CPU
  std::uint64_t max_frames = 1024;
  bool user_only = false;
  bool call_graph = true;
};

struct SymbolOptions {
  std::vector<std::string> debug_dirs;
  std::string sysroot;
  bool no_inlines = false;
  bool no_symbols = false;
  bool debuginfod = false;
  bool no_cache = false;
};

struct OutputOptions {
  std::vector<std::string> files;
  std::string format;
  std::string title;
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  bool no_color = false;
  bool strict = false;
  std::optional<double> max_lost;  ///< percent
};

struct RecordOptions {
  std::vector<std::string> kinds = {"cpu"};
  std::optional<nanoseconds> duration;
};

struct LimitOptions {
  std::optional<double> max_cpu;  ///< percent of one core hprof may use
  std::uint64_t max_memory = std::uint64_t{1} << 30;
};

/// The rolling history. Lists have one item for all kinds, or one for each.
struct DumpOptions {
  bool wanted = false;  ///< a config, variable or flag says something of dumps: serve dumps too
  std::string folder = "./profiles";
  std::vector<std::string> kinds = {"cpu"};
  std::vector<nanoseconds> intervals = {10min};  ///< 0: only at the end
  std::vector<std::uint64_t> debug = {0};
  double rate = 99;
  std::optional<nanoseconds> duration;
  std::vector<std::uint64_t> keep_count;  ///< empty: as many as the other bounds allow
  std::vector<nanoseconds> keep_age = {24h * 7};
  std::vector<std::uint64_t> keep_bytes = {std::uint64_t{1} << 30};
  std::string keep_free = "5%";  ///< of the file system, or a size
  std::string status_file = ".hprof-dump.json";  ///< relative: in the folder
};

struct ServeOptions {
  bool enabled = false;  ///< what a config says; the command serve serves in any case
  std::string listen = "127.0.0.1:6060";
  std::string token_file;
  nanoseconds duration = 1h;  ///< 0: until a signal
  bool allow_unauthenticated = false;
  std::uint64_t max_requests = 16;
};

/// What a harmony.conf says that no setting of hprof's own does.
struct HarmonyRemarks {
  std::string disabled_in;  ///< the file that says Enabled = false
  std::string without_names;  ///< the file that lists no profile to dump
};

struct MigrateOptions {
  bool check = false;
  bool dry_run = false;
  bool print_default = false;
  bool force = false;
  bool yes = false;  ///< nothing is ever asked; scripts may say it all the same
};

/// What convert makes of its inputs.
struct ConvertOptions {
  std::string input_format;
  std::vector<std::string> bases;       ///< subtracted
  std::vector<std::string> diff_bases;  ///< compared with
  bool normalize = false;
  FilterOptions filter;
  std::string sample_type;
  std::string granularity;
  bool short_names = false;
  bool symbolize = false;
  bool demangle = false;
  bool recover = false;
  bool allow_empty = false;
  std::string since;
  std::string until;
  std::string event;
  std::vector<std::string> kinds;  ///< which files of a dump folder
  bool inverted = false;
  bool reverse = false;
  double min_width = 0;  ///< percent
  std::uint64_t top_count = 0;
  std::uint64_t gzip_level = 1;
};

/// Everything a user can set, filled from defaults, files, environment and flags, in that order.
struct Options {
  std::string config;
  bool print_config = false;
  std::vector<std::string> inputs;  ///< positional files of convert and migrate-config
  TargetOptions target;
  CaptureOptions capture;
  SymbolOptions symbols;
  OutputOptions output;
  RecordOptions record;
  DumpOptions dump;
  ServeOptions serve;
  HarmonyRemarks harmony;
  MigrateOptions migrate;
  ConvertOptions convert;
  LimitOptions limits;
  /// Reads everything anew, for a command that runs for long (SIGHUP); notices are said. May be
  /// empty.
  std::function<Result<std::shared_ptr<Options>>()> reload;
};

}  // namespace hprof::cli
