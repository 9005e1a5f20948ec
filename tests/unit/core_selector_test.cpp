// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/selector.h>

#include <doctest/doctest.h>

#include "tests/support/fake_proc.h"

#include <thread>

using namespace hprof;
using namespace std::chrono_literals;
using capture_test::FakeProc;

namespace {

std::vector<int> ids(const Result<std::vector<ProcessInfo>>& found) {
  std::vector<int> out;
  if (found) {
    for (const ProcessInfo& info : *found) out.push_back(info.pid);
  }
  return out;
}

struct World {
  World() {
    proc.add(10, "server");
    proc.add(11, "worker-of-a-lon");
    proc.add(12, "java");
    proc.set_exe(12, "/opt/search/searchd");
    proc.add(13, "server");
    proc.add(14, "server", 1, 'Z');
    cgroup.write("system.slice/web.service/cgroup.procs", "10\n13\n");
    cgroup.write("system.slice/web.service/inner/cgroup.procs", "12\n");
    cgroup.write("cpu/box/cgroup.procs", "11\n");
  }
  [[nodiscard]] SelectorRoots roots() const { return {proc.fs(), cgroup.path().native()}; }

  FakeProc proc;
  capture_test::TempFolder cgroup;
};

}  // namespace

TEST_CASE("pids are taken from lists, and each must be alive") {
  const World world;
  CHECK(ids(select_targets(world.roots(), {.pids = {"12,10", "10"}})) == std::vector{10, 12});
  CHECK(select_targets(world.roots(), {.pids = {"99"}}).error().kind == ErrorKind::target_gone);
  CHECK(select_targets(world.roots(), {.pids = {"14"}}).error().kind == ErrorKind::target_gone);
  for (const char* bad : {"x", "", "1,", "-3", "0", "12x", "99999999999999"}) {
    CHECK(select_targets(world.roots(), {.pids = {bad}}).error().kind == ErrorKind::usage);
  }
}

TEST_CASE("a name is a comm or the base name of the executable, in full") {
  const World world;
  CHECK(ids(select_targets(world.roots(), {.name = "searchd"})) == std::vector{12});
  CHECK(ids(select_targets(world.roots(), {.name = "java"})) == std::vector{12});
  CHECK(ids(select_targets(world.roots(), {.name = "worker-of-a-long-name"})) == std::vector{11});
  CHECK(select_targets(world.roots(), {.name = "serve"}).error().kind == ErrorKind::target_gone);
}

TEST_CASE("several matches of a name are listed and refused, unless all are wanted") {
  const World world;
  const auto found = select_targets(world.roots(), {.name = "server"});
  REQUIRE_FALSE(found);
  CHECK(found.error().kind == ErrorKind::usage);
  CHECK(found.error().message == "2 processes are named 'server': 10 (server), 13 (server)");
  CHECK(ids(select_targets(world.roots(), {.name = "server", .all_matches = true})) ==
        std::vector{10, 13});
}

TEST_CASE("cgroups are found in v2 and v1 layouts, with those below them") {
  const World world;
  CHECK(ids(select_targets(world.roots(), {.cgroup = "/system.slice/web.service"})) ==
        std::vector{10, 12, 13});
  CHECK(ids(select_targets(world.roots(), {.cgroup = "box"})) == std::vector{11});
  CHECK(ids(select_targets(world.roots(), {.unit = "web"})) == std::vector{10, 12, 13});
  CHECK(select_targets(world.roots(), {.unit = "db"}).error().kind == ErrorKind::target_gone);
  CHECK(select_targets(world.roots(), {.cgroup = "none"}).error().kind == ErrorKind::target_gone);
}

TEST_CASE("a pidfile names its process; a missing or stale one is target_gone") {
  const World world;
  const std::string path = (world.cgroup.path() / "x.pid").native();
  CHECK(select_targets(world.roots(), {.pidfile = path}).error().kind == ErrorKind::target_gone);
  world.cgroup.write("x.pid", "12\n");
  CHECK(ids(select_targets(world.roots(), {.pidfile = path})) == std::vector{12});
  world.cgroup.write("x.pid", "99\n");
  CHECK(select_targets(world.roots(), {.pidfile = path}).error().kind == ErrorKind::target_gone);
  world.cgroup.write("x.pid", "soon\n");
  CHECK(select_targets(world.roots(), {.pidfile = path}).error().kind == ErrorKind::usage);
}

TEST_CASE("exactly one way of naming targets is allowed") {
  const World world;
  CHECK(select_targets(world.roots(), {}).error().kind == ErrorKind::usage);
  CHECK(select_targets(world.roots(), {.pids = {"10"}, .name = "x"}).error().kind ==
        ErrorKind::usage);
}

TEST_CASE("waiting ends when the target comes, when patience does, or when it is called off") {
  const World world;
  std::thread later{[&world] {
    std::this_thread::sleep_for(50ms);
    world.proc.add(77, "late");
  }};
  CHECK(ids(wait_for_targets(world.roots(), {.name = "late"}, 5s, {})) == std::vector{77});
  later.join();
  CHECK(wait_for_targets(world.roots(), {.name = "never"}, 30ms, {}).error().kind ==
        ErrorKind::target_gone);
  CHECK_FALSE(wait_for_targets(world.roots(), {.name = "never"}, 0ns, [] { return true; }));
  CHECK(wait_for_targets(world.roots(), {.pids = {"x"}}, 0ns, {}).error().kind == ErrorKind::usage);
}
