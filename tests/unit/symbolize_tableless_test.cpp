// SPDX-License-Identifier: Apache-2.0
// musl has neither tables nor frame pointers: stacks through it against the names of its functions.
#include "tests/unit/stopped_process.h"

#include <hprof/symbolize/table_unwinder.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdio.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)
using hprof::testing::StoppedProcess;
using hprof::testing::VmReader;

namespace {

const std::string kStatic = HPROF_SUPPORT_DIR "/unwind_musl_static";

std::map<std::uint64_t, std::string> symbols_of(const std::string& program) {
  std::map<std::uint64_t, std::string> out;
  FILE* nm = ::popen(fmt::format("nm -C {} | grep -i ' [tw] '", program).c_str(), "r");
  if (nm == nullptr) return out;
  unsigned long long address = 0;
  char type = 0;
  char name[512];
  while (::fscanf(nm, "%llx %c %511[^\n]\n", &address, &type, name) == 3) {
    std::string text = name;
    const auto plain = text.rfind("::");
    if (plain != std::string::npos) text = text.substr(plain + 2);
    out[address] = text.substr(0, text.find('('));
  }
  ::pclose(nm);
  return out;
}

struct Named {
  UnwindEnd end = UnwindEnd::truncated;
  std::vector<std::string> names;  ///< leaf first
};

Named stack_of(const std::string& kind) {
  Named out;
  const auto symbols = symbols_of(kStatic);
  auto process = StoppedProcess::start({kStatic, kind});
  if (process == nullptr || !process->stop() || symbols.empty()) return out;
  VmReader live{process->pid()};
  std::vector<std::uint64_t> frames;
  out.end = make_unwinder()->unwind(process->space, process->registers, process->stack(), &live,
                                    4096, frames);
  for (const std::uint64_t pc : frames) {
    const auto after = symbols.upper_bound(pc);  // linked at a fixed address
    out.names.push_back(after == symbols.begin() ? "?" : std::prev(after)->second);
  }
  return out;
}

/// Whether `wanted` stand in `names` in this order, other frames between them allowed.
bool in_order(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  std::size_t next = 0;
  for (const std::string& name : names) {
    if (next < wanted.size() && name == wanted[next]) ++next;
  }
  return next == wanted.size();
}

bool available() {
  if (::access(kStatic.c_str(), X_OK) == 0 && ::access("/usr/bin/nm", X_OK) == 0) return true;
  MESSAGE("skipped: no musl-gcc or no nm");
  return false;
}

}  // namespace

TEST_CASE("a system call of musl leads to its caller and to the start code") {
  if (!available()) return;
  const Named stack = stack_of("recurse");
  CHECK(stack.end == UnwindEnd::root);
  std::vector<std::string> wanted{"rest"};
  wanted.insert(wanted.end(), 11, "recurse");
  wanted.insert(wanted.end(), {"main", "libc_start_main_stage2"});
  const auto rest = std::ranges::find(stack.names, "rest");
  CHECK(std::vector<std::string>(rest, stack.names.end()) == wanted);
  CHECK(rest - stack.names.begin() <= 4);
}

TEST_CASE("a callback of musl's qsort leads through the sort to main") {
  if (!available()) return;
  const Named stack = stack_of("qsort");
  CHECK(stack.end == UnwindEnd::root);
  CHECK(in_order(stack.names, {"rest", "recurse", "recurse", "recurse", "compare", "main",
                               "libc_start_main_stage2"}));
  // The sort itself stands between: a function of musl, called by another.
  const auto compare = std::ranges::find(stack.names, "compare");
  const auto main = std::ranges::find(stack.names, "main");
  CHECK(main - compare >= 2);
}

TEST_CASE("a signal that musl delivered leads to the frame it interrupted, on its own stack too") {
  if (!available()) return;
  for (const char* kind : {"signal", "altstack"}) {
    const Named stack = stack_of(kind);
    CHECK(stack.end == UnwindEnd::root);
    CHECK(in_order(stack.names,
                   {"rest", "recurse", "recurse", "recurse", "on_signal", "divide", "main"}));
  }
}

TEST_CASE("3000 frames and a frame of 200 KiB lead to musl's start code") {
  if (!available()) return;
  const Named deep = stack_of("deep");
  CHECK(deep.end == UnwindEnd::root);
  CHECK(std::ranges::count(deep.names, "recurse") == 3001);
  const Named large = stack_of("large");
  CHECK(large.end == UnwindEnd::root);
  CHECK(in_order(large.names, {"recurse", "large", "main", "libc_start_main_stage2"}));
}
