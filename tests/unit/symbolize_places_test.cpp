// SPDX-License-Identifier: Apache-2.0
// Where names come from besides plain symbol tables: PLT entries, files without section headers,
// the vdso, debuginfod; and what is told where nothing names the code.
#include "symbolize/elf/symbol_index.h"
#include "symbolize_support.h"

#include <hprof/core/base/mapped_file.h>

#include <doctest/doctest.h>

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <memory>
#include <sstream>

using namespace hprof;
using namespace hprof::symbolize;
using namespace hprof::symbolize_test;

namespace {

constexpr std::string_view kProgram =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "__attribute__((noinline)) int work(int n) { puts(\"x\"); return atoi(\"7\") + rand() % n; }\n"
    "int main(int c, char** v) { void (*f)(void*) = free; f(malloc(strlen(v[0]))); return work(c); "
    "}\n";

std::uint64_t symbol_address(const std::string& file, const std::string& name) {
  return strtoull(output_of("nm " + file + " | grep ' [tT] " + name + "$'").c_str(), nullptr, 16);
}

RawProfile profile_of(const ModulePtr& module, std::uint64_t offset) {
  RawProfile raw;
  raw.modules = {nullptr, module};
  const MappingId mapping = raw.profile.add_mapping({.start = 0x10000000, .limit = 0x20000000});
  raw.profile.intern_location(mapping, 0x10000000 + offset);
  return raw;
}

}  // namespace

TEST_SUITE_BEGIN("builds");  // needs compilers: takes longer than a unit test may

TEST_CASE("PLT entries have the names that objdump prints, with and without IBT") {
  for (const std::string flags :
       {"-fcf-protection=none", "-fcf-protection=full -Wl,-z,ibtplt", "-no-pie -Wl,-z,lazy"}) {
    CAPTURE(flags);
    TemporaryFolder folder;
    folder.write("main.c", kProgram);
    if (!has_tool("objdump") ||
        !run("cd " + folder.path() + " && gcc -O1 " + flags + " main.c -o program")) {
      MESSAGE("skipped: no compiler or objdump");
      return;
    }
    std::istringstream rows(output_of("objdump -d " + (folder / "program") + " | grep '@plt>:$'"));
    std::size_t checked = 0;
    for (std::string row; std::getline(rows, row);) {
      const std::uint64_t address = strtoull(row.c_str(), nullptr, 16);
      const std::size_t open = row.find('<');
      const std::string name = row.substr(open + 1, row.find('>') - open - 1);
      const NamedFrames frames = name_addresses(folder / "program", {address + 4}).front();
      REQUIRE(frames.size() == 1);
      CHECK(frames.front().name == name);
      ++checked;
    }
    CHECK(checked >= 3);
  }
}

TEST_CASE("a library without section headers is named by its dynamic symbols") {
  TemporaryFolder folder;
  folder.write("lib.c",
               "int first(int x) { return x + 1; }\nint second(int x) { return x * 2; }\n");
  if (!has_tool("llvm-strip-14") ||
      !run("cd " + folder.path() +
           " && gcc -O1 -shared -fPIC lib.c -o full.so && cp full.so bare.so && "
           "llvm-strip-14 --strip-sections bare.so")) {
    MESSAGE("skipped: no compiler or llvm-strip");
    return;
  }
  const std::uint64_t second = symbol_address(folder / "full.so", "second");
  const NamedFrames frames = name_addresses(folder / "bare.so", {second + 1}).front();
  REQUIRE(frames.size() == 1);
  CHECK(frames.front().name == "second");
}

TEST_CASE("the vdso is named from the bytes of its memory") {
  const auto* start = reinterpret_cast<const std::byte*>(getauxval(AT_SYSINFO_EHDR));  // NOLINT
  if (start == nullptr) {
    MESSAGE("skipped: no vdso");
    return;
  }
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::vdso;
  module->path = "[vdso]";
  module->copied.assign(start, start + 0x1000);
  const auto image = ElfImage::parse(module->bytes());
  REQUIRE(image);
  const SymbolIndex index = SymbolIndex::build(*image, nullptr);
  REQUIRE_FALSE(index.symbols().empty());
  const CodeSymbol& some = index.symbols().front();
  RawProfile raw = profile_of(module, some.start + 1);
  make_symbolizer({.cache = false})->symbolize(raw, {});
  CHECK(frame_name(raw.profile, 1, 0) == some.name);
  CHECK(some.name.find("vdso") != std::string_view::npos);
}

TEST_CASE("code that nothing names stays an address, and a note says which module and why") {
  TemporaryFolder folder;
  folder.write("main.c", kProgram);
  if (!run("cd " + folder.path() +
           " && gcc -O1 -Wl,--build-id main.c -o full && cp full program && strip program")) {
    MESSAGE("skipped: no compiler");
    return;
  }
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::file;
  module->path = folder / "program";
  module->file = MappedFile::open(module->path).value();
  const auto image = ElfImage::parse(module->bytes());
  REQUIRE(image);
  const std::uint64_t work = symbol_address(folder / "full", "work");
  RawProfile raw = profile_of(module, image->offset_of_address(work).value() + 1);
  auto symbolizer = make_symbolizer({.cache = false});
  symbolizer->symbolize(raw, {});
  CHECK(raw.profile.lines(1).empty());
  CHECK_FALSE(raw.profile.mapping(1).has_functions);
  REQUIRE(symbolizer->coverage_notes().size() == 1);
  const std::string note = symbolizer->coverage_notes().front();
  CHECK(note ==
        "program: 1 of 1 addresses without a name: stripped, no separate debug info (build-id " +
            image->build_id().substr(0, 16) + ")");
}

TEST_CASE("debuginfod is asked only when wanted, and its file is used if the build-id fits") {
  TemporaryFolder folder;
  folder.write("main.c", kProgram);
  if (!run("cd " + folder.path() +
           " && gcc -g -O1 -Wl,--build-id main.c -o full && cp full program && strip program && "
           "id=$(readelf -n full | sed -n 's/.*Build ID: //p') && mkdir -p buildid/$id && "
           "objcopy --only-keep-debug full buildid/$id/debuginfo && "
           "ls /usr/lib/*/libdebuginfod.so.1")) {
    MESSAGE("skipped: no compiler or no libdebuginfod");
    return;
  }
  setenv("DEBUGINFOD_URLS", ("file://" + folder.path()).c_str(), 1);          // NOLINT
  setenv("DEBUGINFOD_CACHE_PATH", (folder / "debuginfod-cache").c_str(), 1);  // NOLINT
  const std::uint64_t work = symbol_address(folder / "full", "work");
  CHECK(name_addresses(folder / "program", {work + 1}).front().empty());
  const NamedFrames frames =
      name_addresses(folder / "program", {work + 1}, {.debuginfod = true, .cache = false}).front();
  unsetenv("DEBUGINFOD_URLS");  // NOLINT
  REQUIRE_FALSE(frames.empty());
  CHECK(frames.back().name == "work");
  CHECK(frames.back().line == 4);
}

TEST_CASE("progress is asked for, and saying no leaves the rest without names") {
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::file;
  module->path = "/proc/self/exe";
  module->file = MappedFile::open(module->path).value();
  RawProfile raw = profile_of(module, 0x1000);
  std::size_t asked = 0;
  make_symbolizer({.cache = false})->symbolize(raw, [&](const SymbolizeProgress& progress) {
    ++asked;
    CHECK(progress.total == 1);
    return false;
  });
  CHECK(asked > 0);
  CHECK(raw.profile.lines(1).empty());
}

TEST_SUITE_END();
