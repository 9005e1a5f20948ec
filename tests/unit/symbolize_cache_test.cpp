// SPDX-License-Identifier: Apache-2.0
#include "symbolize/cache/symbol_cache.h"
#include "symbolize_support.h"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

using namespace hprof;
using namespace hprof::symbolize;
using namespace hprof::symbolize_test;

namespace {

KnownNames some_names(std::uint64_t salt) {
  KnownNames names;
  for (std::uint64_t i = 0; i < 50; ++i) {
    names[salt * 1000 + i] = {{"_Z4leafv", "leaf()", "/src/a.h", 3, 1, 2},
                              {"main", "main", "/src/a.c", 9, 0, 7}};
  }
  names[salt * 1000 + 900] = {};  // known to have no name
  return names;
}

std::size_t files_in(const std::string& dir) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir))
    count += entry.is_regular_file() ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("what is saved is loaded again, and saving adds") {
  TemporaryFolder folder;
  const SymbolCache cache{folder / "c", 1 << 20};
  CHECK(cache.load("ab12", "src").empty());
  cache.save("ab12", "src", some_names(1));
  CHECK(cache.load("ab12", "src") == some_names(1));
  cache.save("ab12", "src", some_names(2));
  CHECK(cache.load("ab12", "src").size() == 102);
  CHECK(files_in(folder / "c") == 1);
  // Debug info that came later makes it void.
  CHECK(cache.load("ab12", "other source").empty());
  CHECK(cache.load("../ab12", "src").empty());
}

TEST_CASE("a cache file that was cut or changed anywhere yields nothing wrong") {
  const std::string good = encode_names("src", some_names(1));
  CHECK(decode_names(good, "src") == some_names(1));
  std::size_t believed = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (!decode_names(std::string_view(good).substr(0, i), "src").empty()) ++believed;
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    const KnownNames names = decode_names(changed, "src");
    if (!names.empty() && names != some_names(1)) ++believed;
  }
  CHECK(believed == 0);
}

TEST_CASE("the cache stays below its size by dropping what was used longest ago") {
  TemporaryFolder folder;
  const std::size_t one = encode_names("s", some_names(1)).size();
  const SymbolCache cache{folder / "c", one * 4};
  for (int i = 0; i < 10; ++i) {
    cache.save("k" + std::to_string(i), "s", some_names(1));
    // Files saved within one tick of the clock have no order.
    const timespec times[2] = {{.tv_sec = 1000 + i, .tv_nsec = 0},
                               {.tv_sec = 1000 + i, .tv_nsec = 0}};
    utimensat(AT_FDCWD, (folder / ("c/k" + std::to_string(i) + ".hpsym")).c_str(), times, 0);
  }
  CHECK(files_in(folder / "c") <= 4);
  CHECK_FALSE(cache.load("k9", "s").empty());
  CHECK(cache.load("k0", "s").empty());
}

TEST_CASE("many writers at once leave whole files") {
  TemporaryFolder folder;
  const SymbolCache cache{folder / "c", 1 << 24};
  std::vector<std::jthread> writers;
  for (std::uint64_t w = 0; w < 4; ++w) {
    writers.emplace_back([&cache, w] {
      for (int i = 0; i < 20; ++i) cache.save("same", "s", some_names(w + 1));
    });
  }
  writers.clear();
  const KnownNames left = cache.load("same", "s");
  CHECK(left.size() >= 51);
  for (const auto& [address, frames] : left)
    CHECK(frames.size() == (address % 1000 == 900 ? 0 : 2));
  CHECK(files_in(folder / "c") == 1);
}

TEST_CASE("a second profile is named by the cache alone, until debug info is installed" *
          doctest::test_suite("builds")) {
  TemporaryFolder folder;
  folder.write(
      "main.c",
      "int twice(int x) { return x + x; }\nint main(int c, char** v) { return twice(c) + !v; }\n");
  const std::string in = "cd " + folder.path() + " && ";
  if (!run(in + "gcc -g -O0 -Wl,--build-id main.c -o full && objcopy --only-keep-debug full "
                "full.debug && "
                "cp full program && objcopy -g program && mkdir dd")) {
    MESSAGE("skipped: no compiler");
    return;
  }
  const std::vector<std::uint64_t> addresses = code_addresses(folder / "program", 300);
  const SymbolizerOptions options{.debug_dirs = {folder / "dd"}, .cache_dir = folder / "c"};
  const auto without = name_addresses(folder / "program", addresses, options);
  CHECK(files_in(folder / "c") == 1);

  // A mark in the cache shows where names come from.
  const std::string file = std::filesystem::directory_iterator(folder / "c")->path();
  std::string bytes;
  {
    std::ifstream stream(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  KnownNames known = decode_names(bytes, "in file");
  REQUIRE_FALSE(known.empty());
  for (auto& [address, frames] : known) {
    for (Frame& frame : frames) frame.system_name += "_cached";
  }
  std::ofstream(file, std::ios::binary) << encode_names("in file", known);
  bool marked = false;
  for (const NamedFrames& frames : name_addresses(folder / "program", addresses, options)) {
    marked = marked || (!frames.empty() && frames.front().name == "twice_cached");
  }
  CHECK(marked);

  run(in + "mv full.debug dd/program.debug");
  const auto with = name_addresses(folder / "program", addresses, options);
  CHECK(with != without);
  CHECK(with == name_addresses(folder / "full", addresses));
}
