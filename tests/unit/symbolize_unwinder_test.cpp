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

void compare(const std::string& program, const std::string& kind) {
  CAPTURE(program);
  CAPTURE(kind);
  auto process = StoppedProcess::start({program, kind}, kind != "vdso");
  REQUIRE(process != nullptr);
  if (!process->stop()) {
    MESSAGE("skipped: ptrace is not allowed");
    return;
  }
  VmReader live{process->pid()};
  const Stack ours = unwound(*process, &live);
  CHECK(ours.end == UnwindEnd::root);
  if (!exists("/usr/bin/eu-stack")) {
    MESSAGE("not compared: there is no eu-stack");
    return;
  }
  process->detach_stopped();
  const auto theirs = eu_stack(process->pid());
  // A thread that runs goes on between the two looks: only its outer frames stay.
  const bool runs = kind == "vdso";
  const std::size_t count = runs ? std::size_t{3} : std::max(theirs.size(), ours.frames.size());
  const auto outer = [](const std::vector<std::uint64_t>& frames, std::size_t i) {
    return i < frames.size() ? frames[frames.size() - 1 - i] : 0;
  };
  std::string differences;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t own = outer(ours.frames, i);
    const std::uint64_t other = outer(theirs, i);
    if (own != other) differences += fmt::format("root-{} {:#x} {:#x}\n", i, own, other);
  }
  CHECK(differences == "");
}

void compare_all(const std::string& variant, std::initializer_list<const char*> kinds) {
  const std::string program = std::string{HPROF_SUPPORT_DIR} + "/" + variant;
  if (!exists(program)) {
    MESSAGE("skipped: " << program << " was not built here");
    return;
  }
  for (const char* kind : kinds) compare(program, kind);
}

/// The stack of `program` as file offsets: what does not depend on where it was loaded.
std::vector<std::uint64_t> offsets(const std::string& variant, const std::string& kind) {
  std::vector<std::uint64_t> out;
  auto process = StoppedProcess::start({std::string{HPROF_SUPPORT_DIR} + "/" + variant, kind});
  if (process == nullptr || !process->stop()) return out;
  VmReader live{process->pid()};
  const Stack ours = unwound(*process, &live);
  CHECK(ours.end == UnwindEnd::root);
  for (const std::uint64_t pc : ours.frames) {
    const MappedRange* range = process->space.find(pc);
    out.push_back(range == nullptr ? 0 : pc - range->start + range->file_offset);
  }
  return out;
}

void same_stack(const std::string& edited, const std::string& original, const std::string& kind) {
  if (!exists(std::string{HPROF_SUPPORT_DIR} + "/" + edited)) {
    MESSAGE("skipped: " << edited << " was not built here");
    return;
  }
  CHECK(offsets(edited, kind) == offsets(original, kind));
}

}  // namespace

TEST_CASE("every pc of a stack is what eu-stack says: recursion, large frames, signals, vDSO") {
  compare_all("target_unwind",
              {"recurse", "deep", "large", "alloca", "signal", "altstack", "vdso"});
}

TEST_CASE("a static program is unwound without .eh_frame_hdr") {
  compare_all("unwind_static", {"deep", "large", "signal", "qsort", "vdso"});
  compare_all("unwind_static_pie", {"large", "signal", "qsort"});
  compare_all("unwind_no_header", {"large", "signal", "qsort"});
  compare_all("unwind_stripped", {"alloca", "signal"});
}

TEST_CASE("a program is unwound by .debug_frame alone, compressed too") {
  compare_all("unwind_debug_frame", {"large", "signal", "qsort"});
  compare_all("unwind_debug_zlib", {"large", "signal"});
  compare_all("unwind_debug_zdebug", {"large", "signal"});
  same_stack("unwind_debug_zstd", "unwind_debug_frame", "signal");
}

TEST_CASE("section headers are not needed") {
  same_stack("unwind_no_sections", "target_unwind", "signal");
  same_stack("unwind_no_sections", "target_unwind", "large");
}

TEST_CASE("code without tables is unwound by its frame pointers") {
  compare_all("unwind_frame_pointer", {"recurse", "signal", "qsort"});
  for (const char* kind : {"recurse", "signal", "qsort", "large"}) {
    same_stack("unwind_frame_pointer_bare", "unwind_frame_pointer", kind);
  }
}
