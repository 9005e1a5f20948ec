// SPDX-License-Identifier: Apache-2.0
// What the sampler does where something is forbidden, gone, or not what it seems.
#include <doctest/doctest.h>

#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/support/live_target.h"
#include "tests/support/recording.h"

#include <hprof/core/target/permissions.h>
#include <hprof/core/target/process_info.h>

#include <array>
#include <atomic>
#include <thread>

using namespace hprof;
using namespace std::chrono_literals;
using capture_test::LiveTarget;
using capture_test::Recording;

namespace {

SamplerTargets target(int pid) {
  SamplerTargets out;
  out.pids = {pid};
  return out;
}

[[noreturn]] void burn() {
  while (true) asm volatile("");
}

/// From now on perf_event_open(2) fails in this process.
bool forbid_perf_events() {
  constexpr auto kNumber = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
  std::array<sock_filter, 4> code{
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, kNumber},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_perf_event_open},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog program{code.size(), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr int kSkip = 77;

/// Runs a check in a child of its own and gives its exit status.
int in_child(const std::function<int()>& check) {
  LiveTarget child{[&] { ::_exit(check()); }};
  const int status = child.wait();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("where perf_event_open is forbidden, short stops still profile, and say so") {
  const LiveTarget busy{burn};
  const int status = in_child([&] {
    if (!forbid_perf_events()) return kSkip;
    const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::automatic, 199),
                                target(busy.pid()), 800ms);
    if (!r) return 1;
    if (r->report.engine != CaptureEngine::ptrace) return 2;
    if (r->report.refused.size() != 2) return 3;
    if (r->stats.samples < 10 || !r->sees_all_cpu(0.1)) return 4;
    return r->report.sentence().find("Operation not permitted") != std::string::npos ? 0 : 5;
  });
  if (status == kSkip) return;
  CHECK(status == 0);
}

TEST_CASE("without privileges, own processes are profiled in user space") {
  if (::geteuid() != 0) {
    MESSAGE("skipped: needs root to become nobody");
    return;
  }
  const Permissions permissions = read_permissions(ProcFs{});
  const int status = in_child([&] {
    if (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0) return kSkip;
    // Else nothing of this process could be read by itself after the change of user.
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    const LiveTarget busy{burn};
    const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::automatic, 499),
                                target(busy.pid()), 800ms);
    if (!r) return 1;
    if (permissions.perf_event_paranoid > 2) {
      return r->report.engine == CaptureEngine::ptrace ? 0 : 2;
    }
    if (r->report.engine != CaptureEngine::per_thread) return 3;
    if (permissions.perf_event_paranoid == 2 && r->report.kernel_frames) return 4;
    return r->stats.samples > 10 && r->sees_all_cpu(0.1) ? 0 : 5;
  });
  if (status == kSkip) return;
  CHECK(status == 0);
}

TEST_CASE("a process of another user is refused with the reason") {
  if (::geteuid() != 0) return;
  const LiveTarget busy{burn};
  const int status = in_child([&] {
    if (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0) return kSkip;
    const auto r = capture_test::record({}, target(busy.pid()), 100ms);
    if (r) return 1;
    if (r.error().kind != ErrorKind::permission) return 2;
    return r.error().hint.find("uid 0") != std::string::npos ? 0 : 3;
  });
  if (status == kSkip) return;
  CHECK(status == 0);
}

TEST_CASE("a sampler that is killed leaves its target running") {
  auto* progress = static_cast<std::atomic<std::uint64_t>*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const LiveTarget busy{[&] {
    while (true) progress->fetch_add(1, std::memory_order_relaxed);
  }};
  for (int round = 0; round < 20; ++round) {
    LiveTarget sampler{[&] {
      static_cast<void>(capture_test::record(capture_test::sampler_options(CaptureEngine::ptrace, 997),
                                     target(busy.pid()), 10s));
    }};
    std::this_thread::sleep_for(std::chrono::milliseconds{30 + round});
    sampler.end();
    const std::uint64_t before = progress->load();
    for (int i = 0; i < 500 && progress->load() == before; ++i) std::this_thread::sleep_for(2ms);
    CHECK(progress->load() != before);
    const Result<ProcessInfo> info = read_process(ProcFs{}, busy.pid());
    REQUIRE(info);
    CHECK((info->state == 'R' || info->state == 'S'));
  }
  ::munmap(progress, 4096);
}

TEST_CASE("signals that arrive during a stop reach the target") {
  auto* received = static_cast<std::atomic<int>*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  static std::atomic<int>* counter = received;
  const LiveTarget busy{[] {
    ::signal(SIGUSR1, [](int) { counter->fetch_add(1); });
    burn();
  }};
  std::this_thread::sleep_for(50ms);
  int sent = 0;
  const auto stop = [&] {
    if (received->load() == sent) sent += ::kill(busy.pid(), SIGUSR1) == 0 ? 1 : 0;
    return false;
  };
  const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::ptrace, 997), target(busy.pid()),
                              800ms, stop);
  if (!r) {
    MESSAGE("skipped: " << r.error().message);
    return;
  }
  for (int i = 0; i < 500 && received->load() != sent; ++i) std::this_thread::sleep_for(2ms);
  CHECK(sent > 10);
  CHECK(received->load() == sent);
  ::munmap(received, 4096);
}

TEST_CASE("a process that is not there or has ended is target_gone") {
  const pid_t zombie = ::fork();
  if (zombie == 0) ::_exit(0);
  std::this_thread::sleep_for(50ms);
  CHECK(capture_test::record({}, target(zombie), 50ms).error().kind == ErrorKind::target_gone);
  ::waitpid(zombie, nullptr, 0);
  CHECK(capture_test::record({}, target(zombie), 50ms).error().kind == ErrorKind::target_gone);
  CHECK(capture_test::record({}, SamplerTargets{}, 50ms).error().kind == ErrorKind::usage);
}

TEST_CASE("a kernel thread is profiled where the kernel allows it") {
  const Result<ProcessInfo> info = read_process(ProcFs{}, 2);
  if (!info || !info->kernel_thread) {
    MESSAGE("skipped: no kernel thread in sight");
    return;
  }
  const auto r = capture_test::record({}, target(2), 100ms);
  if (r) {
    CHECK(r->end == CpuSampler::State::running);
  } else {
    CHECK(r.error().kind == ErrorKind::permission);
  }
}

TEST_CASE("other events are sampled in their own unit; unknown ones are refused") {
  const LiveTarget faulting{[] {
    while (true) {
      constexpr std::size_t kSize = std::size_t{1} << 20;
      void* p = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memset(p, 1, kSize);
      ::munmap(p, kSize);
    }
  }};
  SamplerOptions options;
  options.event = "page-faults";
  const auto r = capture_test::record(options, target(faulting.pid()), 500ms);
  if (!r) {
    MESSAGE("skipped: " << r.error().message);
    return;
  }
  const Profile& p = r->raw.profile;
  REQUIRE(p.sample_types().size() == 2);
  CHECK(p.string(p.sample_types()[1].type) == "page-faults");
  CHECK(p.string(p.sample_types()[1].unit) == "count");
  CHECK(p.total(1) >= p.total(0));
  CHECK(p.total(0) > 0);
  options.event = "page-fautls";
  CHECK(capture_test::record(options, target(faulting.pid()), 50ms).error().kind == ErrorKind::usage);
  options.event = "";
  options.clock = "sundial";
  CHECK(capture_test::record(options, target(faulting.pid()), 50ms).error().kind == ErrorKind::usage);
  options.clock = "auto";
  options.rate = 0;
  CHECK(capture_test::record(options, target(faulting.pid()), 50ms).error().kind == ErrorKind::usage);
}

TEST_CASE("a cap on hprof's own CPU time lowers the rate but keeps the sum right") {
  const LiveTarget busy{burn};
  SamplerOptions options = capture_test::sampler_options(CaptureEngine::automatic, 4999);
  options.max_cpu = 0.01;
  const auto r = capture_test::record(options, target(busy.pid()), 2500ms);
  if (!r) {
    MESSAGE("skipped: " << r.error().message);
    return;
  }
  CHECK(r->sees_all_cpu(0.05));
  CHECK(static_cast<double>(r->stats.sampled_cpu_ns) / static_cast<double>(r->stats.samples) >
        1.2e9 / 4999);
}
