// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/permissions.h>
#include <hprof/core/target/thread_filter.h>

#include <doctest/doctest.h>

#include "tests/support/fake_proc.h"

using namespace hprof;

namespace {

Permissions permissions_of(const std::string& caps, const std::string& paranoid) {
  const capture_test::FakeProc proc;
  proc.write("self/status", "Name:\tx\nCapEff:\t" + caps + "\nSeccomp:\t2\nSeccomp_filters:\t1\n");
  proc.write("sys/kernel/perf_event_paranoid", paranoid + "\n");
  proc.write("sys/kernel/kptr_restrict", "1\n");
  proc.write("kallsyms", "0000000000000000 T _text\n");
  return read_permissions(proc.fs());
}

}  // namespace

TEST_CASE("what root may do is told from capabilities and settings") {
  const Permissions root = permissions_of("000001ffffffffff", "2");
  CHECK(root.perfmon());
  CHECK(root.bpf());
  CHECK(root.may_see_kernel());
  CHECK(root.may_watch_cpus());
  CHECK(root.seccomp_mode == 2);
  CHECK(root.kptr_restrict == 1);
  CHECK_FALSE(root.ptrace_scope);
  CHECK_FALSE(root.kernel_symbols);
}

TEST_CASE("without capabilities the level of perf_event_paranoid decides") {
  const Permissions careful = permissions_of("0000000000000000", "2");
  CHECK_FALSE(careful.perfmon());
  CHECK_FALSE(careful.bpf());
  CHECK_FALSE(careful.may_see_kernel());
  CHECK_FALSE(careful.may_watch_cpus());
  CHECK(careful.sentence().find("perf_event_paranoid 2, seccomp filter") == 0);
  CHECK(permissions_of("0", "1").may_see_kernel());
  CHECK_FALSE(permissions_of("0", "1").may_watch_cpus());
  CHECK(permissions_of("0", "-1").may_watch_cpus());
  CHECK(permissions_of("0000004000000000", "4").perfmon());
  CHECK_FALSE(permissions_of("0000004000000000", "4").bpf());
  CHECK(permissions_of("000000c000000000", "4").bpf());
}

TEST_CASE("a /proc without anything leaves careful defaults") {
  const capture_test::FakeProc proc;
  const Permissions p = read_permissions(proc.fs());
  CHECK(p.perf_event_paranoid == 2);
  CHECK_FALSE(p.perfmon());
  CHECK(p.nofile_hard > 0);
}

TEST_CASE("threads are filtered by id and by a part of their name") {
  const Result<ThreadFilter> by_name = ThreadFilter::make({}, "^io|pool-[0-9]+");
  REQUIRE(by_name);
  CHECK(by_name->passes(1, "io-thread"));
  CHECK(by_name->passes(1, "my pool-7"));
  CHECK_FALSE(by_name->passes(1, "main"));
  const std::vector<int> tids{9, 5};
  const Result<ThreadFilter> both = ThreadFilter::make(tids, "io");
  CHECK(both->passes(5, "io"));
  CHECK_FALSE(both->passes(5, "x"));
  CHECK_FALSE(both->passes(6, "io"));
  CHECK(ThreadFilter{}.passes(3, "anything"));
  CHECK(ThreadFilter{}.empty());
  CHECK(ThreadFilter::make({}, "(").error().kind == ErrorKind::usage);
}
