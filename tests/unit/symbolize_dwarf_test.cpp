// SPDX-License-Identifier: Apache-2.0
// Builds one program in many ways and compares every function start and thousands of addresses with
// what addr2line (binutils) and llvm-addr2line say.
#include "symbolize_support.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace hprof;
using namespace hprof::symbolize_test;

namespace {

constexpr std::string_view kProgram =
    R"(// Without the standard library's headers, so that two dozen builds
// of it take seconds.
extern "C" int printf(const char*, ...);
struct Text { const char* at; ~Text() { printf("~%s", at); } };
namespace ns {
template <class T> struct Box {
  T v;
  __attribute__((noinline)) T get(int k) { return v * k; }
  T twice() { return v + v; }
};
static inline __attribute__((always_inline)) int leafy(int a) {
  return a * 7 + a / 3;
}
static inline __attribute__((always_inline)) int midy(int a) {
  int r = leafy(a);
  r += leafy(r + 1);
  return r;
}
namespace { int hidden(int x) { return midy(x) + 2; } }
struct Base { virtual ~Base(); virtual int f(int); };
Base::~Base() { printf("x"); }
int Base::f(int x) { return midy(x); }
}
extern "C" __attribute__((noinline)) int plain_c_name(int x) {
  return ns::midy(x) ^ 5;
}
template <class T, class Less> static void sift(T* a, int n, int i, Less less) {
  for (int child = 2 * i + 1; child < n; i = child, child = 2 * i + 1) {
    if (child + 1 < n && less(a[child], a[child + 1])) ++child;
    if (!less(a[i], a[child])) return;
    T t = a[i]; a[i] = a[child]; a[child] = t;
  }
}
template <class T, class Less> __attribute__((noinline)) void heap_sort(T* a, int n, Less less) {
  for (int i = n / 2; i-- > 0;) sift(a, n, i, less);
  for (int end = n - 1; end > 0; --end) {
    T t = a[0]; a[0] = a[end]; a[end] = t;
    sift(a, end, 0, less);
  }
}
int main(int c, char** v) {
  static int a[1000];
  for (int i = 0; i < 1000; ++i) a[i] = i ^ 0x55;
  heap_sort(a, 1000, [](int x, int y) { return ns::hidden(x) < ns::hidden(y); });
  ns::Box<int> b{c};
  ns::Base bb;
  Text s{v[0]};
  auto lam = [&](int k) { volatile int z = k; if (z > 1000000) throw s; return z; };
  printf("%d %d %d\n", b.get(3), b.twice(), bb.f(a[3]) + lam(c) + plain_c_name(c));
}
)";

// Names agree if equal, if ours is the same with its scopes in front, or if the tool adds a clone's
// suffix.
bool same_name(const std::string& ours, const std::string& theirs) {
  return theirs == ours || theirs == "??" || ours.ends_with("::" + theirs) ||
         theirs.substr(0, theirs.find('.')) == ours ||
         // the complete and the base constructor are one body under two names
         (ours.size() == theirs.size() && ours.starts_with("_ZN") &&
          (ours.find("D2Ev") != std::string::npos || ours.find("C2") != std::string::npos ||
           ours.find("C1") != std::string::npos));
}

std::string without_suffix(const std::string& name) {
  return name.substr(0, name.find('.'));
}

bool same_place(const NamedFrame& ours, const NamedFrame& theirs) {
  if (theirs.line == 0) return true;
  return ours.line == theirs.line &&
         std::filesystem::path(ours.file).lexically_normal() == theirs.file;
}

struct Comparison {
  std::size_t compared = 0;
  std::size_t frames = 0;
  std::size_t inlined = 0;
  std::size_t wrong = 0;
  std::string first_wrong;
};

// Addresses that we leave without a name are padding between functions: the tools name the nearest
// function there, we do not; they are counted apart.
Comparison compare(const std::vector<std::uint64_t>& addresses,
                   const std::vector<NamedFrames>& ours, const std::vector<NamedFrames>& theirs) {
  Comparison out;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (ours[i].empty() || theirs[i].empty()) continue;
    ++out.compared;
    out.frames += ours[i].size();
    out.inlined += ours[i].size() > 1 ? 1 : 0;
    bool same = ours[i].size() == theirs[i].size();
    for (std::size_t f = 0; same && f < ours[i].size(); ++f) {
      const NamedFrame& us = ours[i][f];
      const NamedFrame& them = theirs[i][f];
      // Known by the symbol table alone: aliases are checked against nm elsewhere.
      if (us.file.empty() && them.line == 0) continue;
      // binutils 2.40 names some inlined calls by the symbol around them.
      const bool by_symbol = without_suffix(them.name) == without_suffix(theirs[i].back().name);
      same = (same_name(us.name, them.name) || by_symbol) && same_place(us, them);
    }
    if (same) continue;
    if (++out.wrong != 1) continue;
    char hex[32];
    snprintf(hex, sizeof hex, "%lx: ", addresses[i]);  // NOLINT
    out.first_wrong = hex;
    for (const NamedFrames* side : {&ours[i], &theirs[i]}) {
      for (const NamedFrame& f : *side)
        out.first_wrong += f.name + " " + f.file + ":" + std::to_string(f.line) + "; ";
      out.first_wrong += " <> ";
    }
  }
  return out;
}

struct Build {
  const char* name;
  const char* command;  // in the folder of main.cpp; makes ./program
  const char* truth = "llvm-addr2line-14";
  const char* truth_file = "program";  // the same code in a form that the tool can read
};

constexpr Build kBuilds[] = {
    {"gcc DWARF 5", "g++ -O2 -g -gdwarf-5 main.cpp -o program", "addr2line"},
    {"gcc DWARF 4", "g++ -O2 -g -gdwarf-4 main.cpp -o program", "addr2line"},
    {"gcc DWARF 5, llvm", "g++ -O2 -g -gdwarf-5 main.cpp -o program"},
    {"gcc DWARF 3", "g++ -O2 -g -gdwarf-3 main.cpp -o program"},
    {"gcc DWARF 2", "g++ -O2 -g -gdwarf-2 main.cpp -o program"},
    {"gcc 64-bit DWARF", "g++ -O2 -g -gdwarf64 main.cpp -o program"},
    {"gcc -O0 without PIE", "g++ -O0 -g -no-pie main.cpp -o program"},
    {"gcc static", "g++ -O2 -g -static main.cpp -o program"},
    {"gcc static PIE, sections collected",
     "g++ -O2 -g -static-pie -ffunction-sections -Wl,--gc-sections main.cpp -o program"},
    {"gcc zlib", "g++ -O2 -g -gz=zlib main.cpp -o program", "addr2line"},
    {".zdebug",
     "g++ -O2 -g main.cpp -o program && cp program plain && "
     "objcopy --compress-debug-sections=zlib-gnu program",
     "llvm-addr2line-14", "plain"},
    {"zstd",
     "g++ -O2 -g main.cpp -o program && cp program plain && "
     "objcopy --compress-debug-sections=zstd program",
     "llvm-addr2line-14", "plain"},
    {"gcc LTO", "g++ -O2 -g -flto main.cpp -o program"},
    {"gcc split DWARF 5", "g++ -O2 -g -gdwarf-5 -gsplit-dwarf main.cpp -o program"},
    {"gcc split DWARF 4", "g++ -O2 -g -gdwarf-4 -gsplit-dwarf main.cpp -o program"},
    {"gcc package 4",
     "g++ -O2 -g -gdwarf-4 -gsplit-dwarf -c main.cpp -o main.o && g++ main.o -o program && "
     "dwp -e program -o program.dwp && rm *.dwo"},
    {"clang DWARF 5", "clang++ -O2 -g -gdwarf-5 main.cpp -o program"},
    {"clang DWARF 4", "clang++ -O2 -g -gdwarf-4 main.cpp -o program"},
    {"clang split DWARF 5", "clang++ -O2 -g -gdwarf-5 -gsplit-dwarf main.cpp -o program"},
    {"clang split DWARF 4", "clang++ -O2 -g -gdwarf-4 -gsplit-dwarf main.cpp -o program"},
    {"clang package 5",
     "clang++ -O2 -g -gdwarf-5 -gsplit-dwarf -c main.cpp -o main.o && clang++ main.o -o program && "
     "llvm-dwp-14 -e program -o program.dwp && rm *.dwo"},
};

}  // namespace

TEST_SUITE_BEGIN("builds");  // needs compilers: takes longer than a unit test may

TEST_CASE("functions, inlined calls and lines are those of addr2line, however a program is built") {
  for (const Build& build : kBuilds) {
    CAPTURE(std::string(build.name));
    TemporaryFolder folder;
    folder.write("main.cpp", kProgram);
    if (!has_tool(build.truth) || !run("cd " + folder.path() + " && " + build.command)) {
      MESSAGE("skipped: cannot build '" << build.name << "' here");
      continue;
    }
    const std::string program = folder / "program";
    const std::vector<std::uint64_t> addresses = code_addresses(program, 1500);
    const Comparison result =
        compare(addresses, name_addresses(program, addresses),
                name_by_tool(build.truth, folder / build.truth_file, addresses));
    CAPTURE(result.first_wrong);
    CHECK(result.wrong == 0);
    CHECK(result.compared > addresses.size() * 3 / 4);
    if (std::string_view(build.command).find("static") == std::string_view::npos &&
        std::string_view(build.command).find("-O0") == std::string_view::npos) {
      CHECK(result.inlined > 100);
    }
  }
}

TEST_CASE("debug info shared by dwz is followed") {
  TemporaryFolder folder;
  folder.write("main.cpp", kProgram);
  const std::string build =
      "cd " + folder.path() +
      " && g++ -O2 -g main.cpp -o program && g++ -O1 -g -DOTHER main.cpp -o other && "
      "cp program plain && dwz -m shared.debug program other";
  if (!has_tool("dwz") || !run(build) || !std::filesystem::exists(folder / "shared.debug")) {
    MESSAGE("skipped: dwz cannot be run here");
    return;
  }
  // The truth is the program before dwz rewrote it: the tools' own dwz support differs.
  const std::vector<std::uint64_t> addresses = code_addresses(folder / "program", 1500);
  const std::vector<NamedFrames> ours = name_addresses(folder / "program", addresses);
  CHECK(ours == name_addresses(folder / "plain", addresses));
  const Comparison result =
      compare(addresses, ours, name_by_tool("addr2line", folder / "plain", addresses));
  CAPTURE(result.first_wrong);
  CHECK(result.wrong == 0);
  CHECK(result.inlined > 100);
}

TEST_CASE(
    "separate debug info is found by build-id, debuglink and --debug-dir, a wrong one never used") {
  TemporaryFolder folder;
  folder.write("main.cpp", kProgram);
  const std::string in = "cd " + folder.path() + " && ";
  if (!run(in + "g++ -O2 -g -Wl,--build-id main.cpp -o full && objcopy --only-keep-debug full "
                "program.debug && "
                "cp full stripped && strip stripped && cp stripped program && "
                "objcopy --add-gnu-debuglink=program.debug program && "
                "g++ -O1 -g -Wl,--build-id main.cpp -o wrong && objcopy --only-keep-debug wrong "
                "wrong.debug")) {
    MESSAGE("skipped: no compiler or objcopy");
    return;
  }
  const std::vector<std::uint64_t> addresses = code_addresses(folder / "full", 800);
  const std::vector<NamedFrames> truth = name_addresses(folder / "full", addresses);
  CHECK(name_addresses(folder / "program", addresses) == truth);

  run(in + "mkdir .debug && mv program.debug .debug/");
  CHECK(name_addresses(folder / "program", addresses) == truth);

  // Debug info of another build under the right name.
  run(in + "mv .debug/program.debug right.debug && cp wrong.debug program.debug");
  const std::vector<NamedFrames> without = name_addresses(folder / "program", addresses);
  CHECK(without == name_addresses(folder / "stripped", addresses));
  CHECK(without != truth);

  run(in +
      "rm program.debug && id=$(readelf -n full | sed -n 's/.*Build ID: //p') && "
      "mkdir -p dd/.build-id/$(echo $id | cut -c1-2) && "
      "mv right.debug dd/.build-id/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-).debug");
  CHECK(name_addresses(folder / "stripped", addresses,
                       {.debug_dirs = {folder / "dd"}, .cache = false}) == truth);

  // Without build-ids the checksum decides.
  run(in +
      "g++ -O2 -g -Wl,--build-id=none main.cpp -o noid && objcopy --only-keep-debug noid "
      "noid.debug && "
      "cp noid noid.full && strip noid && objcopy --add-gnu-debuglink=noid.debug noid");
  CHECK(name_addresses(folder / "noid", addresses) ==
        name_addresses(folder / "noid.full", addresses));
  run(in + "echo >>noid.debug");
  CHECK(name_addresses(folder / "noid", addresses) !=
        name_addresses(folder / "noid.full", addresses));
}

TEST_CASE("mini debug info names the functions of a stripped program") {
  TemporaryFolder folder;
  folder.write("main.cpp", kProgram);
  const std::string in = "cd " + folder.path() + " && ";
  if (!run(in +
           "g++ -O2 main.cpp -o full && nm -D full --format=posix --defined-only | awk '{print "
           "$1}' | sort >dyn && "
           "nm full --format=posix --defined-only | awk '$2==\"T\"||$2==\"t\"{print $1}' | sort "
           ">all && "
           "comm -13 dyn all >keep && objcopy --only-keep-debug full debug && "
           "objcopy -S --remove-section .comment --keep-symbols=keep debug mini && xz -f mini && "
           "cp full program && strip program && objcopy --add-section .gnu_debugdata=mini.xz "
           "program")) {
    MESSAGE("skipped: no compiler, objcopy or xz");
    return;
  }
  const std::string row = output_of("nm " + (folder / "full") + " | grep ' T plain_c_name'");
  const std::uint64_t address = strtoull(row.c_str(), nullptr, 16);
  REQUIRE(address != 0);
  run(in + "cp full bare && strip bare");
  CHECK(name_addresses(folder / "bare", {address + 2}).front().empty());
  const NamedFrames named = name_addresses(folder / "program", {address + 2}).front();
  REQUIRE(named.size() == 1);
  CHECK(named.front().name == "plain_c_name");
}

TEST_CASE("the lines and declared lines of an inlined chain are those of the source") {
  TemporaryFolder folder;
  folder.write("main.cpp", kProgram);
  if (!run("cd " + folder.path() + " && g++ -O2 -g main.cpp -o program")) {
    MESSAGE("skipped: no compiler");
    return;
  }
  const std::string program = folder / "program";
  const std::string source = folder / "main.cpp";
  const std::vector<std::uint64_t> addresses = code_addresses(program, 100000);
  std::size_t seen = 0;
  std::size_t wrong = 0;
  for (const NamedFrames& frames : name_addresses(program, addresses)) {
    if (frames.size() != 3 || frames[2].name != "plain_c_name") continue;
    ++seen;
    const long call = frames[1].line;  // leafy is called twice
    const NamedFrames right{{"ns::leafy", source, 12, 11},
                            {"ns::midy", source, call, 14},
                            {"plain_c_name", source, 25, 24}};
    if (frames != right || (call != 15 && call != 16)) ++wrong;
  }
  CHECK(seen > 5);
  CHECK(wrong == 0);
}

TEST_SUITE_END();
