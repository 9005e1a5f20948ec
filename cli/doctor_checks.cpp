// SPDX-License-Identifier: Apache-2.0
#include "doctor_checks.h"

#include "units.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::cli {
namespace {

constexpr std::string_view kPrivilege =
    "run as root, or: setcap cap_perfmon,cap_bpf,cap_sys_ptrace+ep on the program";

Finding kernel_frames(const Permissions& p) {
  Finding finding{"kernel frames", Health::good, "samples show what the kernel does", {}};
  if (!p.may_see_kernel()) {
    finding.health = Health::limited;
    finding.what =
        fmt::format("kernel.perf_event_paranoid is {}: user frames only", p.perf_event_paranoid);
    finding.fix = fmt::format("sysctl kernel.perf_event_paranoid=1, or {}", kPrivilege);
  }
  return finding;
}

Finding kernel_names(const Permissions& p) {
  Finding finding{"kernel symbols", Health::good, "kallsyms shows addresses", {}};
  if (!p.kernel_symbols) {
    finding.health = Health::limited;
    finding.what =
        fmt::format("kallsyms hides addresses (kernel.kptr_restrict {}): one [kernel] frame",
                    p.kptr_restrict.value_or(0));
    finding.fix = "sysctl kernel.kptr_restrict=0, or run as root";
  }
  return finding;
}

Finding cpu_events(const Permissions& p) {
  Finding finding{
      "per-CPU events", Health::good, "threads of any lifetime are seen as they are", {}};
  if (!p.may_watch_cpus()) {
    finding.health = Health::limited;
    finding.what = fmt::format(
        "kernel.perf_event_paranoid is {}: events for each thread, which see less of short threads",
        p.perf_event_paranoid);
    finding.fix = fmt::format("sysctl kernel.perf_event_paranoid=-1, or {}", kPrivilege);
  }
  return finding;
}

Finding other_processes(const Permissions& p) {
  Finding finding{"other users' processes", Health::good, "may be profiled", {}};
  if (p.uid != 0 && !p.perfmon()) {
    finding.health = Health::limited;
    finding.what = fmt::format("only processes of uid {}", p.uid);
    finding.fix = kPrivilege;
  }
  return finding;
}

Finding attaching(const Permissions& p) {
  constexpr int kCapSysPtrace = 19;
  Finding finding{"ptrace", Health::good, "memory and threads of our processes can be read", {}};
  const int scope = p.ptrace_scope.value_or(0);
  if (scope > 0 && !p.has_cap(kCapSysPtrace)) {
    finding.health = Health::limited;
    finding.what = fmt::format(
        "kernel.yama.ptrace_scope is {}: stacks beyond the copied part and "
        "the lowest rung of the engine do not work",
        scope);
    finding.fix = "sysctl kernel.yama.ptrace_scope=0, or run as root";
  }
  return finding;
}

Finding locked_memory(const Permissions& p) {
  // Per CPU; the kernel's own default is 516.
  constexpr int kEnoughKib = 516;
  Finding finding{"ring memory", Health::good, "", {}};
  const int kib = p.perf_mlock_kib.value_or(kEnoughKib);
  finding.what = fmt::format("kernel.perf_event_mlock_kb is {}", kib);
  if (kib < kEnoughKib && !p.perfmon()) {
    finding.health = Health::limited;
    finding.what += ": small rings, samples may be lost";
    finding.fix = fmt::format("sysctl kernel.perf_event_mlock_kb={}", kEnoughKib);
  }
  return finding;
}

Finding seccomp(const Permissions& p) {
  Finding finding{"seccomp", Health::good, "off", {}};
  if (p.seccomp_mode != 0) {
    finding.what = "a filter is on; what it forbids shows in the engine above";
    finding.fix = "in a container: --security-opt seccomp=unconfined, or allow perf_event_open";
  }
  return finding;
}

Finding bpf(const Permissions& p) {
  Finding finding{"eBPF", Health::good, "allowed", {}};
  if (!p.bpf()) {
    finding.health = Health::limited;
    finding.what = "not allowed: per-CPU events of all processes are filtered by hprof itself";
    finding.fix = kPrivilege;
  }
  return finding;
}

}  // namespace

Finding engine_finding(const CaptureReport& report) {
  Finding finding{"engine", Health::good, report.sentence(), {}};
  if (!report.refused.empty() || !report.lacks.empty()) finding.health = Health::limited;
  if (!report.lacks.empty()) {
    finding.what += fmt::format("; lacks: {}", fmt::join(report.lacks, ", "));
  }
  return finding;
}

Findings permission_findings(const Permissions& permissions) {
  Findings findings;
  for (const auto check : {kernel_frames, kernel_names, cpu_events, other_processes, attaching,
                           locked_memory, seccomp, bpf}) {
    findings.push_back(check(permissions));
  }
  return findings;
}

Findings process_findings(const ProcessInfo& process, const Permissions& permissions) {
  Findings findings = {{"process",
                        Health::good,
                        fmt::format("{} ({}), uid {}, {} thread{}", process.name(), process.pid,
                                    process.uid, process.threads, process.threads == 1 ? "" : "s"),
                        {}}};
  if (process.kernel_thread) {
    const bool seen = permissions.may_see_kernel();
    findings.push_back({"kernel thread", seen ? Health::good : Health::bad,
                        seen ? "its kernel frames are recorded" : "it has kernel frames only",
                        seen ? "" : std::string{kPrivilege}});
  }
  if (process.is_32_bit) {
    findings.push_back(
        {"32-bit program", Health::limited, "its stacks are followed by frame pointers only", {}});
  }
  if (process.exe_deleted) {
    findings.push_back({"program file",
                        Health::good,
                        "was deleted or replaced; the running one is read through /proc",
                        {}});
  }
  if (process.ns_pids.size() > 1) {
    findings.push_back(
        {"namespace", Health::good, fmt::format("pid {} in its own", process.ns_pids.back()), {}});
  }
  return findings;
}

Finding open_file_finding(const Permissions& permissions, std::uint64_t threads,
                          std::uint64_t cpus) {
  Finding finding{
      "open files", Health::good, fmt::format("at most {}", permissions.nofile_hard), {}};
  const std::uint64_t wanted = threads * cpus + 64;
  if (!permissions.may_watch_cpus() && wanted > permissions.nofile_hard) {
    finding.health = Health::limited;
    finding.what += fmt::format(", {} threads on {} CPUs would take {}", threads, cpus, wanted);
    finding.fix = fmt::format("ulimit -Hn {}", wanted);
  }
  return finding;
}

Health worst(const Findings& findings) {
  Health health = Health::good;
  for (const Finding& finding : findings) health = std::max(health, finding.health);
  return health;
}

}  // namespace hprof::cli
