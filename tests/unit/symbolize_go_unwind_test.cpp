// SPDX-License-Identifier: Apache-2.0
// Go programs built by the Go that is there: stacks over goroutine and thread stacks, and over cgo.
#include "symbolize/go/go_tables.h"
#include "tests/unit/stopped_process.h"

#include <hprof/symbolize/table_unwinder.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)
using hprof::testing::StoppedProcess;
using hprof::testing::VmReader;

namespace {

constexpr const char* kPlain = R"(package main
import "os"
type node struct { l, r *node; pad [4]int }
//go:noinline
func grow(d int) *node { if d == 0 { return &node{} }; return &node{l: grow(d - 1), r: grow(d - 1)} }
//go:noinline
func outer() { for { grow(8) } }
func main() { os.Stdout.WriteString("ready\n"); outer() }
)";

constexpr const char* kCgo = R"(package main
/*
#include <stdlib.h>
extern int goCompare(void*, void*);
static int compare(const void* a, const void* b) { return goCompare((void*)a, (void*)b); }
static void sort(int* v) { for (int i = 0; i < 500; i++) v[i] = rand(); qsort(v, 500, 4, compare); }
static volatile double sink;
static void burn(void) { for (int i = 0; i < 20000; i++) sink += i * 0.5; }
*/
import "C"
import ("os"; "runtime"; "unsafe")
//export goCompare
func goCompare(a, b unsafe.Pointer) C.int { return *(*C.int)(a) - *(*C.int)(b) }
//go:noinline
func outer() { var v [500]C.int; for { C.burn(); C.sort(&v[0]) } }
func main() { runtime.LockOSThread(); os.Stdout.WriteString("ready\n"); outer() }
)";

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "hprof-go-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

/// The names of the Go frames of a stack, leaf first; "" for frames that are not Go's.
std::vector<std::string> names(const StoppedProcess& process,
                               const std::vector<std::uint64_t>& frames) {
  std::vector<std::string> out;
  for (const std::uint64_t pc : frames) {
    out.emplace_back();
    const MappedRange* range = process.space.find(pc);
    if (range == nullptr || range->module->kind != ModuleKind::file) continue;
    const auto image = ElfImage::parse(range->module->bytes());
    if (!image) continue;
    const auto tables = find_go_tables(*image);
    const auto vaddr = image->address_of_offset(pc - range->start + range->file_offset);
    if (!tables || !vaddr) continue;
    if (const auto function = tables->table.find(*vaddr)) {
      out.back() = tables->table.name(*function);
    }
  }
  return out;
}

struct Counts {
  int stacks = 0;
  int rooted = 0;
  int below_outer = 0;  ///< of the stacks that hold main.outer: those with its right callers
  int with_outer = 0;
  int switched = 0;  ///< stacks with a frame that changes stacks
};

Counts sample(const std::string& program, int rounds) {
  Counts out;
  auto process = StoppedProcess::start({program}, false);
  REQUIRE(process != nullptr);
  const auto unwinder = make_unwinder();
  VmReader live{process->pid()};
  for (int i = 0; i < rounds; ++i) {
    ::usleep(2000);
    if (!process->stop()) return out;
    std::vector<std::uint64_t> frames;
    const auto end =
        unwinder->unwind(process->space, process->registers, process->stack(), &live, 1024, frames);
    process->detach();
    ++out.stacks;
    out.rooted += end == UnwindEnd::root ? 1 : 0;
    const auto stack = names(*process, frames);
    const auto at = std::ranges::find(stack, "main.outer");
    for (const char* one : {"runtime.systemstack", "runtime.asmcgocall", "runtime.cgocallback"}) {
      if (std::ranges::find(stack, one) == stack.end()) continue;
      ++out.switched;
      break;
    }
    if (at == stack.end()) continue;
    ++out.with_outer;
    const std::vector<std::string> below(at, stack.end());
    const std::vector<std::string> right{"main.outer", "main.main", "runtime.main",
                                         "runtime.goexit"};
    out.below_outer += below == right ? 1 : 0;
  }
  return out;
}

void check_program(const char* source, const std::string& go, const std::string& flags) {
  CAPTURE(go);
  CAPTURE(flags);
  const Folder folder;
  const std::string file = folder.path / "main.go";
  const std::string program = folder.path / "program";
  std::ofstream(file) << source;
  const std::string command = fmt::format(
      "cd {} && GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local {} build {} -o program main.go >log "
      "2>&1",
      folder.path.native(), go, flags);
  if (std::system(command.c_str()) != 0) {  // NOLINT(concurrency-mt-unsafe)
    MESSAGE("skipped: " << go << " cannot build this here");
    return;
  }
  const Counts counts = sample(program, 40);
  if (counts.stacks == 0) {
    MESSAGE("skipped: ptrace is not allowed");
    return;
  }
  CHECK(counts.rooted == counts.stacks);
  CHECK(counts.below_outer == counts.with_outer);
  // The main thread may hand the goroutine over; cgo pins it.
  if (source == kCgo) CHECK(counts.with_outer > 30);
  if (source == kCgo) CHECK(counts.switched > 20);
}

std::vector<std::string> compilers() {
  std::vector<std::string> out;
  if (std::system("go version >/dev/null 2>&1") == 0) out.emplace_back("go");  // NOLINT
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib", ignored)) {
    const std::string go = entry.path() / "bin/go";
    if (entry.path().filename().native().starts_with("go-") && ::access(go.c_str(), X_OK) == 0) {
      out.push_back(go);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("goroutine stacks reach goexit, stripped and position independent programs too") {
  const auto all = compilers();
  if (all.empty()) MESSAGE("skipped: there is no Go");
  for (const std::string& go : all) {
    check_program(kPlain, "CGO_ENABLED=0 " + go, "-buildmode=pie -ldflags='-s -w'");
  }
}

TEST_CASE("stacks cross from C through cgo to the goroutine, and back through callbacks") {
  const auto all = compilers();
  if (all.empty()) MESSAGE("skipped: there is no Go");
  if (!all.empty()) check_program(kCgo, "CGO_ENABLED=1 " + all.back(), "");
}
