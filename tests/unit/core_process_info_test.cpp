// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/process_info.h>
#include <hprof/core/target/process_tree.h>

#include <doctest/doctest.h>

#include "tests/support/fake_proc.h"

using namespace hprof;
using capture_test::FakeProc;

TEST_CASE("a process is read from stat, status and exe, whatever is in its name") {
  const FakeProc proc;
  proc.add(42, "a) (b", 7, 'R');
  proc.set_exe(42, "/opt/x/server (deleted)");
  const Result<ProcessInfo> info = read_process(proc.fs(), 42);
  REQUIRE(info);
  CHECK(info->comm == "a) (b");
  CHECK(info->parent == 7);
  CHECK(info->state == 'R');
  CHECK(info->exe == "/opt/x/server");
  CHECK(info->exe_deleted);
  CHECK(info->name() == "server");
  CHECK(info->uid == 1000);
  CHECK(info->ns_pids == std::vector<int>{42, 3});
  CHECK(info->user_ticks == 7);
  CHECK(info->system_ticks == 5);
  CHECK(info->children_ticks == 40);
  CHECK(info->threads == 1);
  CHECK(info->start_ticks == 4711);
  CHECK_FALSE(info->kernel_thread);
}

TEST_CASE("kernel threads and zombies are told apart") {
  const FakeProc proc;
  proc.add(2, "kthreadd", 0, 'S', 0x208040);
  proc.add(50, "gone", 1, 'Z');
  proc.add(51, "main ended", 1, 'Z', 0, 3);
  CHECK(read_process(proc.fs(), 2)->kernel_thread);
  CHECK(read_target(proc.fs(), 2));
  const Result<ProcessInfo> zombie = read_target(proc.fs(), 50);
  REQUIRE_FALSE(zombie);
  CHECK(zombie.error().kind == ErrorKind::target_gone);
  CHECK_FALSE(is_alive(proc.fs(), 50));
  CHECK(is_alive(proc.fs(), 51));
}

TEST_CASE("a process that is not there is target_gone, a malformed stat is an error") {
  const FakeProc proc;
  CHECK(read_process(proc.fs(), 9).error().kind == ErrorKind::target_gone);
  for (const char* text : {"", "9", "9 (x", "9 (x) S", "9 (x) S 1 2 3", ") 9 ("}) {
    proc.write("9/stat", text);
    CHECK_FALSE(read_process(proc.fs(), 9));
  }
}

TEST_CASE("descendants are found over generations, in any order of ids") {
  const FakeProc proc;
  proc.add(10, "root");
  proc.add(30, "child", 10);
  proc.add(20, "grandchild", 30);
  proc.add(40, "other", 1);
  CHECK(with_descendants(proc.fs(), std::vector{10}) == std::vector{10, 20, 30});
  CHECK(with_descendants(proc.fs(), std::vector{40, 20}) == std::vector{20, 40});
}
