// SPDX-License-Identifier: Apache-2.0
#include "doctor_checks.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;
using namespace hprof::cli;

namespace {

const Finding& named(const Findings& findings, std::string_view name) {
  const auto found = std::ranges::find(findings, name, &Finding::name);
  REQUIRE(found != findings.end());
  return *found;
}

Permissions of_root() {
  Permissions p;
  p.effective_caps = ~std::uint64_t{0};
  p.uid = 0;
  p.kernel_symbols = true;
  p.nofile_hard = 1024;
  return p;
}

Permissions of_nobody() {
  Permissions p;
  p.uid = 65534;
  p.perf_event_paranoid = 2;
  p.kptr_restrict = 1;
  p.ptrace_scope = 1;
  p.perf_mlock_kib = 64;
  p.nofile_hard = 1024;
  return p;
}

}  // namespace

TEST_CASE("root on an open machine lacks nothing") {
  CHECK(worst(permission_findings(of_root())) == Health::good);
}

TEST_CASE("each restriction is limited, named with its value, and has a remedy") {
  const Findings findings = permission_findings(of_nobody());
  CHECK(worst(findings) == Health::limited);
  for (const char* name : {"kernel frames", "kernel symbols", "per-CPU events",
                           "other users' processes", "ptrace", "ring memory", "eBPF"}) {
    CAPTURE(name);
    const Finding& finding = named(findings, name);
    CHECK(finding.health == Health::limited);
    CHECK_FALSE(finding.fix.empty());
  }
  CHECK(named(findings, "kernel frames").what.find("perf_event_paranoid is 2") !=
        std::string::npos);
  CHECK(named(findings, "ptrace").what.find("ptrace_scope is 1") != std::string::npos);
}

TEST_CASE("a kernel thread needs kernel frames") {
  ProcessInfo process;
  process.pid = 2;
  process.comm = "kthreadd";
  process.kernel_thread = true;
  CHECK(worst(process_findings(process, of_root())) == Health::good);
  CHECK(worst(process_findings(process, of_nobody())) == Health::bad);
}

TEST_CASE("what is special about a process is told") {
  ProcessInfo process;
  process.pid = 42;
  process.comm = "x";
  process.is_32_bit = true;
  process.exe_deleted = true;
  process.ns_pids = {42, 7};
  const Findings findings = process_findings(process, of_root());
  CHECK(named(findings, "32-bit program").health == Health::limited);
  CHECK(named(findings, "namespace").what == "pid 7 in its own");
  named(findings, "program file");
}

TEST_CASE("open files matter only where each thread needs its own events") {
  CHECK(open_file_finding(of_root(), 1000, 8).health == Health::good);
  CHECK(open_file_finding(of_nobody(), 10, 8).health == Health::good);
  const Finding short_of = open_file_finding(of_nobody(), 1000, 8);
  CHECK(short_of.health == Health::limited);
  CHECK(short_of.fix == "ulimit -Hn 8064");
}

TEST_CASE("a rung below the first is limited, with what it lacks") {
  CaptureReport report;
  report.engine = CaptureEngine::per_cpu;
  CHECK(engine_finding(report).health == Health::good);
  report.refused = {"per-cpu: no permission"};
  report.lacks = {"kernel frames"};
  CHECK(engine_finding(report).health == Health::limited);
  CHECK(engine_finding(report).what.find("kernel frames") != std::string::npos);
}
