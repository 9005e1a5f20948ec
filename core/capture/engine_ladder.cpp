// SPDX-License-Identifier: Apache-2.0
#include "engine_ladder.h"

#include <fmt/format.h>

namespace hprof {
namespace {

using Opener = Result<std::unique_ptr<SampleSource>> (*)(const SourceOptions&, const Permissions&,
                                                         const ProcFs&);

struct Rung {
  CaptureEngine engine;
  Opener open;
};

Result<std::unique_ptr<SampleSource>> open_per_cpu(const SourceOptions& options,
                                                   const Permissions& permissions,
                                                   const ProcFs& /*proc*/) {
  if (!permissions.may_watch_cpus()) {
    return Error{ErrorKind::permission,
                 "events on whole CPUs need CAP_PERFMON or perf_event_paranoid 0", {}};
  }
  return open_per_cpu_source(options, permissions);
}

Result<std::unique_ptr<SampleSource>> open_per_thread(const SourceOptions& options,
                                                      const Permissions& /*permissions*/,
                                                      const ProcFs& proc) {
  if (options.system) {
    return Error{ErrorKind::permission, "events on every thread of the machine are too many", {}};
  }
  return open_per_thread_source(options, proc);
}

Result<std::unique_ptr<SampleSource>> open_ptrace(const SourceOptions& options,
                                                  const Permissions& /*permissions*/,
                                                  const ProcFs& proc) {
  if (options.is_other_event) {
    return Error{ErrorKind::unsupported, "stops on a timer measure CPU time only", {}};
  }
  return open_ptrace_source(options, proc);
}

constexpr Rung kRungs[] = {
    {CaptureEngine::per_cpu, open_per_cpu},
    {CaptureEngine::per_thread, open_per_thread},
    {CaptureEngine::ptrace, open_ptrace},
};

}  // namespace

Result<ChosenSource> choose_source(const SourceOptions& options, CaptureEngine wanted,
                                   const Permissions& permissions, const ProcFs& proc) {
  ChosenSource chosen;
  std::optional<Error> first;
  Error last;
  for (const Rung& rung : kRungs) {
    if (wanted != CaptureEngine::automatic && wanted != rung.engine) continue;
    Result<std::unique_ptr<SampleSource>> source = rung.open(options, permissions, proc);
    if (source) {
      chosen.source = std::move(*source);
      chosen.report.event = options.event.name;
      chosen.source->describe(chosen.report);
      return chosen;
    }
    last = std::move(source).error();
    if (last.kind == ErrorKind::target_gone) return last;
    if (!first) first = last;
    chosen.report.refused.push_back(
        fmt::format("no {} events: {}", engine_name(rung.engine), last.message));
  }
  // Of another event than time the first rung knows best what is wrong.
  if (options.is_other_event && first) return *first;
  if (chosen.report.refused.size() > 1) {
    last.message = fmt::format("{} ({})", last.message, permissions.sentence());
  }
  return last;
}

}  // namespace hprof
