// SPDX-License-Identifier: Apache-2.0
// Threads, processes and mappings that come and go under the sampler's eyes.
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <thread>

#include "tests/support/fake_proc.h"
#include "tests/support/live_target.h"
#include "tests/support/recording.h"

#include <hprof/core/target/selector.h>

using namespace hprof;
using namespace std::chrono_literals;
using capture_test::LiveTarget;
using capture_test::Recording;

namespace {

const std::string kChurn = std::string{HPROF_SUPPORT_DIR} + "/target_churn";

/// A running target_churn.
struct Churn : LiveTarget {
  explicit Churn(std::vector<std::string> arguments, const std::string& program = kChurn)
      : LiveTarget([&] {
          arguments.insert(arguments.begin(), program);
          capture_test::exec(arguments);
        }) {}
};

SamplerTargets target(int pid, bool children = false) {
  SamplerTargets out;
  out.pids = {pid};
  out.children = children;
  return out;
}

/// Skips the rest of a test case where an engine is forbidden.
#define REQUIRE_OR_SKIP(recording)                            \
  if (!(recording)) {                                         \
    MESSAGE("skipped: " << (recording).error().message);      \
    return;                                                   \
  }                                                           \
  MESSAGE((recording)->report.sentence() << ": " << (recording)->stats.samples << " samples, seen " \
                                         << (recording)->stats.cpu_seen_percent() << " %")

void copy_program(const std::string& to) {
  std::filesystem::copy_file(kChurn, to);
}

}  // namespace

TEST_CASE("threads that live for 10 to 30 ms are seen with all their time at 99 Hz") {
  const Churn churn{{"short"}};
  const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::per_cpu, 99), target(churn.pid()),
                              3000ms);
  REQUIRE_OR_SKIP(r);
  CHECK(r->stats.threads > 20);
  CHECK(r->sees_all_cpu(0.03));
}

TEST_CASE("a thousand threads are followed by events") {
  const Churn churn{{"threads", "1000"}};
  std::this_thread::sleep_for(300ms);
  for (const CaptureEngine engine : {CaptureEngine::per_cpu, CaptureEngine::per_thread}) {
    const auto r = capture_test::record(capture_test::sampler_options(engine, 1999), target(churn.pid()), 1000ms);
    REQUIRE_OR_SKIP(r);
    CHECK(r->stats.threads > 20);
    CHECK(r->label_values("thread").size() > 20);
    // A clock of its own for each thread gives nothing for the first period of each.
    if (engine == CaptureEngine::per_cpu) CHECK(r->sees_all_cpu(0.05));
  }
}

TEST_CASE("a thousand threads are followed within 512 open files, without per-CPU events") {
  const Churn churn{{"threads", "1000"}};
  std::this_thread::sleep_for(300ms);
  LiveTarget limited{[&] {
    const rlimit files{512, 512};
    ::setrlimit(RLIMIT_NOFILE, &files);
    const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::per_thread, 1999),
                                target(churn.pid()), 1000ms);
    if (!r) ::_exit(r.error().kind == ErrorKind::permission ? 77 : 1);
    ::_exit(r->stats.threads > 20 && r->label_values("thread").size() > 20 ? 0 : 2);
  }};
  const int status = WEXITSTATUS(limited.wait());
  if (status == 77) {
    MESSAGE("skipped: perf events are forbidden");
    return;
  }
  CHECK(status == 0);
}

TEST_CASE("children forked during the run are followed and told apart") {
  const Churn churn{{"forks"}};
  for (const CaptureEngine engine : {CaptureEngine::per_cpu, CaptureEngine::per_thread}) {
    const auto r =
        capture_test::record(capture_test::sampler_options(engine, 499), target(churn.pid(), true), 1500ms);
    REQUIRE_OR_SKIP(r);
    CHECK(r->stats.processes > 5);
    CHECK(r->label_values("pid").size() > 5);
    if (engine == CaptureEngine::per_cpu) CHECK(r->sees_all_cpu(0.1));
  }
}

TEST_CASE("without children, forks are none of our business") {
  const Churn churn{{"forks"}};
  for (const CaptureEngine engine : {CaptureEngine::per_cpu, CaptureEngine::per_thread}) {
    const auto r = capture_test::record(capture_test::sampler_options(engine, 499), target(churn.pid()), 400ms);
    REQUIRE_OR_SKIP(r);
    CHECK(r->stats.processes == 1);
    CHECK(r->stats.samples < 40);
  }
}

TEST_CASE("a library that is loaded during the run is known from its first sample on") {
  const Churn churn{{"dlopen", "libm.so.6"}};
  const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::automatic, 499),
                              target(churn.pid()), 2000ms);
  REQUIRE_OR_SKIP(r);
  std::int64_t in_library = 0;
  for (MappingId id = 1; id <= r->raw.profile.mapping_count(); ++id) {
    const std::string name{r->raw.profile.string(r->raw.profile.mapping(id).filename)};
    if (name.find("/libm") == std::string::npos) continue;
    in_library += r->samples_in(name);
    CHECK_FALSE(r->raw.modules[id]->bytes().empty());
    break;
  }
  CHECK(in_library > 10);
}

TEST_CASE("a program that becomes another is seen as both") {
  const capture_test::TempFolder folder;
  const std::string other = (folder.path() / "other").native();
  copy_program(other);
  const Churn churn{{"exec", other}};
  for (const CaptureEngine engine : {CaptureEngine::per_cpu, CaptureEngine::ptrace}) {
    const auto r = capture_test::record(capture_test::sampler_options(engine, 499), target(churn.pid()), 1500ms);
    REQUIRE_OR_SKIP(r);
    CHECK(r->samples_in(other) > 3);
    if (engine == CaptureEngine::per_cpu) {
      CHECK(r->label_values("thread").contains("other"));
    }
  }
}

TEST_CASE("a deleted program is still read") {
  const capture_test::TempFolder folder;
  const std::string path = (folder.path() / "gone").native();
  copy_program(path);
  const Churn churn{{"burn"}, path};
  std::this_thread::sleep_for(100ms);
  std::filesystem::remove(path);
  const auto r =
      capture_test::record(capture_test::sampler_options(CaptureEngine::automatic, 499), target(churn.pid()), 500ms);
  REQUIRE_OR_SKIP(r);
  CHECK(r->samples_in(path) > 0);
  for (MappingId id = 1; id <= r->raw.profile.mapping_count(); ++id) {
    if (r->raw.modules[id]->path != path) continue;
    CHECK(r->raw.modules[id]->deleted);
    CHECK_FALSE(r->raw.modules[id]->bytes().empty());
  }
}

TEST_CASE("a program in another mount and pid namespace is read where it lies") {
  const capture_test::TempFolder folder;
  const std::string inner = (folder.path() / "hprof-inner").native();
  const std::string script = "mount -t tmpfs none " + folder.path().native() + " && cp " + kChurn +
                             " " + inner + " && exec " + inner + " burn";
  const LiveTarget shell{[&] {
    capture_test::exec({"unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                script});
  }};
  const auto found = wait_for_targets(SelectorRoots{}, {.name = "hprof-inner"}, 3s, {});
  if (!found) {
    MESSAGE("skipped: namespaces cannot be made here");
    return;
  }
  CHECK(found->front().ns_pids.size() == 2);
  CHECK_FALSE(std::filesystem::exists(inner));
  const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::automatic, 499),
                              target(found->front().pid), 500ms);
  REQUIRE_OR_SKIP(r);
  CHECK(r->samples_in(inner) > 0);
  for (MappingId id = 1; id <= r->raw.profile.mapping_count(); ++id) {
    if (r->raw.modules[id]->path == inner) CHECK_FALSE(r->raw.modules[id]->bytes().empty());
  }
}

TEST_CASE("a launched command is profiled from its first instruction to its end") {
  for (const CaptureEngine engine :
       {CaptureEngine::per_cpu, CaptureEngine::per_thread, CaptureEngine::ptrace}) {
    auto command = LaunchedCommand::prepare({kChurn, "for", "400"});
    REQUIRE(command);
    SamplerTargets targets;
    targets.command = &*command;
    const auto r = capture_test::record(capture_test::sampler_options(engine, 499), targets, 20s);
    REQUIRE_OR_SKIP(r);
    CHECK(r->end == CpuSampler::State::targets_gone);
    const auto status = command->try_wait();
    REQUIRE(status);
    CHECK(LaunchedCommand::shell_status(*status) == 3);
    CHECK(command->cpu_ns() > 390'000'000);
    CHECK(r->sees_all_cpu(0.1));
    // The program reads its clock every few microseconds, and a ptrace stop takes hold at the next
    // system call: there it is the leaf, whatever ran. Where the interrupt itself samples it is not.
    if (engine != CaptureEngine::ptrace) {
      CHECK(r->samples_in(kChurn) > r->raw.profile.total(0) / 3);
    }
    // What ran before the exec was our own code.
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").native();
    CHECK(r->samples_in(self) == 0);
  }
}

TEST_CASE("a command that cannot be run says so") {
  auto command = LaunchedCommand::prepare({"/nowhere/at-all"});
  REQUIRE(command);
  const Result<void> released = command->release();
  REQUIRE_FALSE(released);
  CHECK(released.error().message == "cannot run /nowhere/at-all: No such file or directory");
  CHECK(LaunchedCommand::prepare({}).error().kind == ErrorKind::usage);
}

TEST_CASE("a command that is dropped before its release never runs") {
  const capture_test::TempFolder folder;
  const std::string mark = (folder.path() / "mark").native();
  { REQUIRE(LaunchedCommand::prepare({"touch", mark})); }
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("the end of a target ends the run") {
  const Churn churn{{"for", "200"}};
  const auto begin = std::chrono::steady_clock::now();
  const auto r = capture_test::record(capture_test::sampler_options(CaptureEngine::automatic, 99),
                              target(churn.pid()), 20s);
  REQUIRE_OR_SKIP(r);
  CHECK(r->end == CpuSampler::State::targets_gone);
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
}

TEST_CASE("threads are filtered by id and by name") {
  const Churn churn{{"turns", "20"}};
  std::this_thread::sleep_for(200ms);
  const std::vector<int> tids = ProcFs{}.tids(churn.pid());
  REQUIRE(tids.size() > 5);
  for (const CaptureEngine engine : {CaptureEngine::per_cpu, CaptureEngine::per_thread}) {
    SamplerTargets by_id;
    by_id.threads = *ThreadFilter::make(std::vector{tids[3]}, "");
    const auto one = capture_test::record(capture_test::sampler_options(engine, 997), by_id, 400ms);
    REQUIRE_OR_SKIP(one);
    for (const std::string& tid : one->label_values("tid")) CHECK(tid == std::to_string(tids[3]));
    SamplerTargets by_name = target(churn.pid());
    by_name.threads = *ThreadFilter::make({}, "worker-1[0-9]");
    const auto some = capture_test::record(capture_test::sampler_options(engine, 997), by_name, 400ms);
    REQUIRE(some);
    CHECK(some->report.engine == engine);
    for (const std::string& name : some->label_values("thread")) {
      CHECK(name.starts_with("worker-1"));
      CHECK(name.size() == 9);
    }
  }
}
