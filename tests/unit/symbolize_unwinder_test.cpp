// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/stopped_process.h"

#include <hprof/symbolize/table_unwinder.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)
using hprof::testing::StoppedProcess;
using hprof::testing::VmReader;

namespace {

bool exists(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0;
}

struct Stack {
  UnwindEnd end = UnwindEnd::truncated;
  std::vector<std::uint64_t> frames;
};

Stack unwound(const StoppedProcess& process, MemoryReader* live, std::size_t max_frames = 8192) {
  auto unwinder = make_unwinder();
  Stack out;
  out.end = unwinder->unwind(process.space, process.registers, process.stack(), live, max_frames,
                             out.frames);
  return out;
}

/// The pcs that eu-stack prints for the stopped process: exact, and for callers pc - 1 as we count.
std::vector<std::uint64_t> eu_stack(int pid) {
  std::vector<std::uint64_t> out;
  FILE* tool = ::popen(fmt::format("eu-stack -a -n 0 -p {} 2>/dev/null", pid).c_str(), "r");
  if (tool == nullptr) return out;
  char line[8192];
  while (::fgets(line, sizeof line, tool) != nullptr) {
    unsigned long long address = 0;
    int number = 0;
    if (::sscanf(line, "#%d 0x%llx", &number, &address) != 2) continue;
    // "- 1" marks a return address.
    out.push_back(::strstr(line, "- 1") != nullptr ? address - 1 : address);
  }
  ::pclose(tool);
  return out;
}

void compare_with_eu_stack(const std::string& program, const std::string& kind) {
  CAPTURE(program);
  CAPTURE(kind);
  if (!exists(program)) {
    MESSAGE("skipped: " << program << " was not built here");
    return;
  }
  auto process = StoppedProcess::start({program, kind});
  REQUIRE(process != nullptr);
  if (!process->stop()) {
    MESSAGE("skipped: ptrace is not allowed");
    return;
  }
  VmReader live{process->pid()};
  const Stack ours = unwound(*process, &live);
  CHECK(ours.end == UnwindEnd::root);
  if (!exists("/usr/bin/eu-stack")) return;
  process->detach_stopped();
  const auto theirs = eu_stack(process->pid());
  REQUIRE(theirs.size() == ours.frames.size());
  // A thread that runs goes on between the two looks; its callers stay.
  const std::size_t moving = kind == "vdso" ? 3 : 0;
  for (std::size_t i = moving; i < theirs.size(); ++i) CHECK(ours.frames[i] == theirs[i]);
}

const std::string kTarget = std::string{HPROF_SUPPORT_DIR} + "/target_unwind";

}  // namespace

TEST_CASE("stacks of a stopped process end at the root") {
  for (const char* kind :
       {"recurse", "deep", "large", "alloca", "signal", "altstack", "qsort", "vdso"}) {
    compare_with_eu_stack(kTarget, kind);
  }
}
