// SPDX-License-Identifier: Apache-2.0
#include "capture_setup.h"

#include <hprof/symbolize/table_unwinder.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace hprof::cli {
namespace {

constexpr std::uint64_t kMaxStackBytes = 65528;  // perf_event_open(2), sample_stack_user
constexpr double kMaxRate = 100'000;

CaptureEngine engine_of(std::string_view name) {
  for (const CaptureEngine engine :
       {CaptureEngine::per_cpu, CaptureEngine::per_thread, CaptureEngine::ptrace}) {
    if (engine_name(engine) == name) return engine;
  }
  return CaptureEngine::automatic;
}

Result<std::vector<int>> numbers(const std::vector<std::string>& texts, std::string_view what) {
  std::vector<int> values;
  for (const std::string& text : texts) {
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value <= 0) {
      return Error{ErrorKind::usage, fmt::format("'{}' is not a {}", text, what), {}};
    }
    values.push_back(value);
  }
  return values;
}

bool names_processes(const TargetOptions& options) {
  return !options.pids.empty() || !options.name.empty() || !options.cgroup.empty() ||
         !options.unit.empty() || !options.pidfile.empty();
}

/// `hprof record ./prog` is how perf is used.
Result<void> check_pids(const TargetOptions& options) {
  for (const std::string& pid : options.pids) {
    if (!pid.empty() && pid.find_first_not_of("0123456789") == std::string::npos) continue;
    return Error{ErrorKind::usage, fmt::format("'{}' is not a PID", pid),
                 fmt::format("to run a program write -- {0}, to find one by name -n {0}", pid)};
  }
  return {};
}

Result<void> check_ways(const TargetOptions& options) {
  const int ways = (names_processes(options) ? 1 : 0) + (options.command.empty() ? 0 : 1) +
                   (options.system ? 1 : 0);
  if (ways == 0) {
    return Error{ErrorKind::usage, "no target given",
                 "name one: a PID, -n NAME, --cgroup, --unit, --pidfile, --system or -- COMMAND"};
  }
  if (ways > 1) {
    return Error{ErrorKind::usage, "more than one kind of target given",
                 "either processes, or a command after --, or --system"};
  }
  return check_pids(options);
}

TargetSpec spec_of(const TargetOptions& options) {
  TargetSpec spec;
  spec.pids = options.pids;
  spec.name = options.name;
  spec.cgroup = options.cgroup;
  spec.unit = options.unit;
  spec.pidfile = options.pidfile;
  spec.all_matches = options.all_matches;
  return spec;
}

Result<std::vector<ProcessInfo>> find_processes(const TargetOptions& options,
                                                const std::function<bool()>& cancelled) {
  SelectorRoots roots;
  roots.proc = ProcFs{options.proc_root};
  const TargetSpec spec = spec_of(options);
  if (!options.wait) return select_targets(roots, spec);
  const bool for_ever = *options.wait == nanoseconds::max();
  return wait_for_targets(roots, spec, for_ever ? nanoseconds{0} : *options.wait, cancelled);
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

}  // namespace

bool names_a_target(const TargetOptions& options) {
  return names_processes(options) || !options.command.empty() || options.system;
}

Result<SamplerOptions> sampler_options(const Options& options) {
  const CaptureOptions& capture = options.capture;
  SamplerOptions out;
  if (capture.rate > kMaxRate) {
    return Error{
        ErrorKind::usage,
        fmt::format("--rate: {} samples a second are more than {}", capture.rate, kMaxRate),
        {}};
  }
  if (capture.stack_bytes == 0 || capture.stack_bytes > kMaxStackBytes) {
    return Error{ErrorKind::usage,
                 fmt::format("--stack-bytes: {} bytes; the kernel copies 8 to {}",
                             capture.stack_bytes, kMaxStackBytes),
                 {}};
  }
  if (capture.max_frames == 0) return Error{ErrorKind::usage, "--max-frames: must not be 0", {}};
  out.rate = capture.rate;
  out.event = capture.event;
  out.clock = capture.clock;
  out.engine = engine_of(capture.engine);
  out.stack_bytes = static_cast<std::uint32_t>((capture.stack_bytes + 7) / 8 * 8);
  out.ring_bytes = capture.ring_kib << 10;
  out.max_frames = capture.max_frames;
  out.user_only = capture.user_only;
  out.max_cpu = options.limits.max_cpu;
  out.max_memory = options.limits.max_memory;
  out.proc_root = options.target.proc_root;
  return out;
}

std::unique_ptr<Unwinder> unwinder_for(const CaptureOptions& options) {
  symbolize::UnwindOptions out;
  if (options.unwind == "tables") out.by = symbolize::UnwindBy::tables;
  if (options.unwind == "fp") out.by = symbolize::UnwindBy::frame_pointers;
  return symbolize::make_unwinder(out);
}

std::unique_ptr<Symbolizer> symbolizer_for(const Options& options) {
  symbolize::SymbolizerOptions out;
  out.debug_dirs = options.symbols.debug_dirs;
  out.sysroot = options.symbols.sysroot;
  out.no_inlines = options.symbols.no_inlines;
  out.debuginfod = options.symbols.debuginfod;
  out.cache = !options.symbols.no_cache;
  out.proc_root = options.target.proc_root;
  return symbolize::make_symbolizer(std::move(out));
}

SamplerTargets ChosenTargets::for_sampler() {
  SamplerTargets targets;
  for (const ProcessInfo& process : processes) targets.pids.push_back(process.pid);
  targets.threads = threads;
  targets.children = children;
  targets.system = system;
  targets.command = command ? &*command : nullptr;
  return targets;
}

std::string ChosenTargets::sentence() const {
  if (system) return "the whole system";
  if (command) return fmt::format("{} ({})", command_name, command->pid());
  if (processes.size() > 1) return fmt::format("{} processes", processes.size());
  return fmt::format("{} ({})", processes[0].name(), processes[0].pid);
}

NameFields ChosenTargets::name_fields() const {
  NameFields fields;
  fields.host = host_name();
  if (system) {
    fields.name = "system";
    fields.pid = "all";
  } else if (command) {
    fields.name = command_name;
    fields.pid = fmt::format("{}", command->pid());
  } else {
    fields.name = processes[0].name();
    fields.pid = fmt::format("{}", processes[0].pid);
    if (processes.size() > 1) fields.pid += fmt::format("+{}", processes.size() - 1);
  }
  return fields;
}

Result<ChosenTargets> choose_targets(const TargetOptions& options,
                                     const std::function<bool()>& cancelled) {
  HPROF_TRY(check_ways(options));
  ChosenTargets chosen;
  HPROF_ASSIGN(const std::vector<int> tids, numbers(options.tids, "thread id"));
  HPROF_ASSIGN(chosen.threads, ThreadFilter::make(tids, options.thread));
  chosen.children = options.children;
  chosen.system = options.system;
  if (!options.command.empty()) {
    const std::string& program = options.command[0];
    chosen.command_name = program.substr(program.rfind('/') + 1);
    // As perf does: what a build or a shell script starts is what one wants to see.
    chosen.children = true;
    HPROF_ASSIGN(chosen.command, LaunchedCommand::prepare(options.command));
  } else if (!options.system) {
    HPROF_ASSIGN(chosen.processes, find_processes(options, cancelled));
  }
  return chosen;
}

}  // namespace hprof::cli
