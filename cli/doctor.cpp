// SPDX-License-Identifier: Apache-2.0
#include "capture_setup.h"
#include "commands.h"
#include "doctor_checks.h"
#include "doctor_modules.h"
#include "json_object.h"
#include "output_file.h"
#include "terminal.h"

#include <hprof/core/capture/cpu_sampler.h>

#include <fmt/format.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <thread>

namespace hprof::cli {
namespace {

/// Opens the engine on a process, which attaches as a recording would, and samples nothing.
Finding try_engine(const Options& options, int pid) {
  const auto engine = sampler_options(options);
  if (!engine) return {"engine", Health::bad, engine.error().message, engine.error().hint};
  const std::unique_ptr<Unwinder> unwinder = unwinder_for(options.capture);
  SamplerTargets targets;
  targets.pids = {pid};
  const auto sampler = CpuSampler::open(*engine, targets, *unwinder);
  if (!sampler) return {"engine", Health::bad, sampler.error().message, sampler.error().hint};
  return engine_finding((*sampler)->report());
}

std::string machine_line() {
  utsname names = {};
  ::uname(&names);
  return fmt::format("hprof {} on {} {} {}, {} CPUs", HPROF_VERSION, names.sysname, names.release,
                     names.machine, std::thread::hardware_concurrency());
}

Findings examine_machine(const Options& options, const Permissions& permissions) {
  Findings findings = {try_engine(options, ::getpid())};
  for (Finding& finding : permission_findings(permissions)) findings.push_back(std::move(finding));
  return findings;
}

Result<Findings> examine_target(const Options& options, const Permissions& permissions) {
  HPROF_ASSIGN(const ChosenTargets chosen, choose_targets(options.target, [] { return false; }));
  Findings findings;
  for (const ProcessInfo& process : chosen.processes) {
    for (Finding& finding : process_findings(process, permissions)) {
      findings.push_back(std::move(finding));
    }
    findings.push_back(try_engine(options, process.pid));
    findings.push_back(
        open_file_finding(permissions, process.threads, std::thread::hardware_concurrency()));
    if (process.kernel_thread) continue;
    for (Finding& finding : module_findings(process.pid, options)) {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

std::string_view health_word(Health health) {
  switch (health) {
    case Health::good:
      return "ok";
    case Health::limited:
      return "limited";
    case Health::bad:
      return "fails";
  }
  return "";
}

std::string colored(Health health, bool colors) {
  constexpr std::string_view kColors[] = {"\x1b[32m", "\x1b[33m", "\x1b[31m"};
  const std::string word = fmt::format("{:<8}", health_word(health));
  return colors ? fmt::format("{}{}\x1b[0m", kColors[static_cast<int>(health)], word) : word;
}

std::string findings_text(const Findings& findings, bool colors) {
  std::string text;
  for (const Finding& finding : findings) {
    text +=
        fmt::format("  {} {}: {}\n", colored(finding.health, colors), finding.name, finding.what);
    if (!finding.fix.empty()) text += fmt::format("  {:<8} to change it: {}\n", "", finding.fix);
  }
  return text;
}

std::vector<JsonObject> findings_json(const Findings& findings) {
  std::vector<JsonObject> objects;
  for (const Finding& finding : findings) {
    JsonObject one;
    one.add("name", finding.name);
    one.add("health", health_word(finding.health));
    one.add("what", finding.what);
    one.add("fix", finding.fix);
    objects.push_back(std::move(one));
  }
  return objects;
}

}  // namespace

Result<int> run_doctor(Options& options) {
  if (!options.target.command.empty()) {
    return Error{ErrorKind::usage, "doctor takes no command", "give the PID of a running process"};
  }
  const Permissions permissions = read_permissions(ProcFs{options.target.proc_root});
  const Findings machine = examine_machine(options, permissions);
  Findings target;
  if (names_a_target(options.target)) {
    HPROF_ASSIGN(target, examine_target(options, permissions));
  }
  // The engine on ourselves may fail while the target can be profiled: then the target counts.
  const bool works = worst(target.empty() ? machine : target) != Health::bad;
  if (options.output.json) {
    JsonObject json;
    json.add("ok", works);
    json.add("machine", findings_json(machine));
    json.add("target", findings_json(target));
    HPROF_TRY(write_stdout(json.text() + "\n"));
    return works ? 0 : 1;
  }
  const Terminal terminal{options.output, process_environment()};
  const bool colors = terminal.has_colors() && ::isatty(STDOUT_FILENO) == 1;
  std::string text = machine_line() + "\n" + findings_text(machine, colors);
  if (!target.empty()) text += "target\n" + findings_text(target, colors);
  HPROF_TRY(write_stdout(text));
  return works ? 0 : 1;
}

}  // namespace hprof::cli
