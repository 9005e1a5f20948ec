// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temp_folder.h"

#include <hprof/core/services/dump_file.h>
#include <hprof/core/services/retention.h>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

using namespace hprof;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

void touch(const test::TempFolder& folder, const std::string& name, std::int64_t modified_s,
           std::size_t bytes = 1) {
  folder.write(name, std::string(bytes, 'x'));
  const timespec times[2] = {{modified_s, 0}, {modified_s, 0}};
  REQUIRE(::utimensat(AT_FDCWD, folder.path(name).c_str(), times, 0) == 0);
}

std::string names(const std::vector<DumpFile>& files) {
  std::string out;
  for (const DumpFile& file : files) {
    out += (out.empty() ? "" : " ") + file.name.format();
  }
  return out;
}

std::vector<DumpFile> found(const test::TempFolder& folder, const DumpFilter& filter = {}) {
  Result<std::vector<DumpFile>> files = find_dump_files(folder.path(), filter);
  REQUIRE(files);
  return *files;
}

DumpFile file(std::int64_t start_s, std::int64_t end_s, std::uint64_t bytes = 10) {
  DumpFile out;
  out.name = {"cpu", start_s, 1, 1, false};
  out.end_ns = end_s * kSecond;
  out.bytes = bytes;
  return out;
}

std::string starts(const std::vector<DumpFile>& files) {
  std::string out;
  for (const DumpFile& f : files) out += (out.empty() ? "" : " ") + std::to_string(f.name.start_s);
  return out;
}

constexpr RetentionLimits kNone{};

}  // namespace

TEST_CASE("a dump name is kind, second, pid and a number where the name was taken") {
  CHECK(DumpName{"cpu", 1626000000, 4242, 1, false}.format() == "cpu.1626000000.4242.pb.gz");
  CHECK(DumpName{"heap", 7, 1, 3, true}.format() == "heap.7.1-3.txt");
  const auto name = parse_dump_name("goroutine.1626000000.4242-12.txt");
  REQUIRE(name);
  CHECK(name->kind == "goroutine");
  CHECK(name->start_s == 1626000000);
  CHECK(name->pid == 4242);
  CHECK(name->sequence == 12);
  CHECK(name->text);
}

TEST_CASE("only names exactly as hprof writes them are its files") {
  for (const char* other :
       {"cpu.1626000000.pb.gz", "cpu.1.2.pb", "cpu.1.2.pb.gz.tmp", "cpu.01.2.pb.gz",
        "cpu.1.02.pb.gz", "cpu.1.2-1.pb.gz", "cpu.1.2-0.pb.gz", "cpu.1.2-02.pb.gz", "cpu.1.2-.txt",
        "cpu.-1.2.pb.gz", "cpu.1.-2.pb.gz", "cpu.+1.2.pb.gz", "cpu.1.2.3.pb.gz", "nosuch.1.2.pb.gz",
        "threads.1.2.pb.gz", "CPU.1.2.pb.gz", ".cpu.1.2.pb.gz", "", ".", "cpu", "cpu.1.2.",
        "cpu.99999999999999999999.2.pb.gz", "cpu.1.99999999999.pb.gz", "cpu. 1.2.pb.gz"}) {
    CAPTURE(other);
    CHECK_FALSE(parse_dump_name(other));
  }
}

TEST_CASE("files of a folder come in the order of their windows, and nothing else does") {
  const test::TempFolder folder;
  touch(folder, "cpu.200.1.pb.gz", 300);
  touch(folder, "cpu.100.1.pb.gz", 200);
  touch(folder, "cpu.100.1-2.pb.gz", 200);
  touch(folder, "heap.150.1.txt", 150);
  touch(folder, "notes.txt", 1);
  touch(folder, "cpu.100.pb.gz", 1);
  REQUIRE(::mkdir(folder.path("cpu.300.1.pb.gz").c_str(), 0700) == 0);
  REQUIRE(::symlink("/etc/passwd", folder.path("cpu.400.1.pb.gz").c_str()) == 0);
  CHECK(names(found(folder)) ==
        "cpu.100.1.pb.gz cpu.100.1-2.pb.gz heap.150.1.txt cpu.200.1.pb.gz");
  DumpFilter heap;
  heap.kinds = {"heap"};
  CHECK(names(found(folder, heap)) == "heap.150.1.txt");
  DumpFilter other_pid;
  other_pid.pid = 2;
  CHECK(found(folder, other_pid).empty());
  CHECK_FALSE(find_dump_files(folder.path("absent"), {}));
}

TEST_CASE("a window counts when it overlaps the time asked for") {
  const test::TempFolder folder;
  // Windows of ten minutes without a gap, each written two seconds after its end; the third is the
  // last of its run, and one hour later another begins.
  touch(folder, "cpu.1000.1.pb.gz", 1602);
  touch(folder, "cpu.1600.1.pb.gz", 2202);
  touch(folder, "cpu.2200.1.pb.gz", 2802);
  touch(folder, "cpu.6400.1.pb.gz", 7002);
  const auto between = [&folder](std::int64_t since, std::int64_t until) {
    DumpFilter filter;
    filter.since_ns = since * kSecond;
    filter.until_ns = until * kSecond;
    return starts(found(folder, filter));
  };
  CHECK(between(1700, 1800) == "1600");
  CHECK(between(1650, 2250) == "1600 2200");
  CHECK(between(0, 999) == "");
  CHECK(between(0, 1000) == "1000");
  CHECK(between(3000, 4000) == "");  // the file was written before: its window is over
  CHECK(between(7100, 8000) == "");
  CHECK(between(6900, 8000) == "6400");
}

TEST_CASE("a copied folder, whose files are all new, still ends a window where the next begins") {
  const test::TempFolder folder;
  touch(folder, "cpu.1000.1.pb.gz", 999999);
  touch(folder, "cpu.1600.1.pb.gz", 999999);
  touch(folder, "cpu.1600.2.pb.gz", 5);  // and one whose time is nonsense
  DumpFilter filter;
  filter.since_ns = 1700 * kSecond;
  filter.until_ns = 1800 * kSecond;
  CHECK(names(found(folder, filter)) == "cpu.1600.1.pb.gz");
}

TEST_CASE("retention by count, age and bytes lets the oldest go and never the newest") {
  const std::vector<DumpFile> files = {file(100, 200), file(200, 300), file(300, 400)};
  const std::int64_t now = 1000 * kSecond;
  CHECK(choose_expired(files, kNone, now, 0).empty());
  CHECK(starts(choose_expired(files, {2, {}, {}}, now, 0)) == "100");
  CHECK(starts(choose_expired(files, {1, {}, {}}, now, 0)) == "100 200");
  CHECK(starts(choose_expired(files, {0, {}, {}}, now, 0)) == "100 200");
  CHECK(choose_expired(files, {{}, 800s, {}}, now, 0).empty());
  CHECK(starts(choose_expired(files, {{}, 700s, {}}, now, 0)) == "100");
  CHECK(starts(choose_expired(files, {{}, 1s, {}}, now, 0)) == "100 200");
  CHECK(choose_expired(files, {{}, {}, 30}, now, 0).empty());
  CHECK(starts(choose_expired(files, {{}, {}, 29}, now, 0)) == "100");
  CHECK(starts(choose_expired(files, {{}, {}, 0}, now, 0)) == "100 200");
  CHECK(choose_expired({}, {0, 1s, 0}, now, 5).empty());
}

TEST_CASE("below the free-space floor one goes for each new one, and the newest stays") {
  const std::vector<DumpFile> files = {file(100, 200), file(200, 300), file(300, 400)};
  CHECK(starts(choose_expired(files, kNone, 1000 * kSecond, 1)) == "100");
  CHECK(choose_expired({file(100, 200)}, kNone, 1000 * kSecond, 1).empty());
}

TEST_CASE("after the clock was set back, files from the future count as the oldest") {
  const std::vector<DumpFile> files = {file(100, 200), file(5000, 5100), file(5100, 5200)};
  CHECK(starts(choose_expired(files, {1, {}, {}}, 300 * kSecond, 0)) == "5000 5100");
  CHECK(choose_expired(files, {{}, 1000s, {}}, 300 * kSecond, 0).empty());
}

TEST_CASE("the floor is a share or a size") {
  CHECK(below_floor({4, 100}, {5, 0}));
  CHECK_FALSE(below_floor({5, 100}, {5, 0}));
  CHECK(below_floor({99, 1000}, {0, 100}));
  CHECK_FALSE(below_floor({100, 1000}, {0, 100}));
  CHECK_FALSE(below_floor({0, 1000}, {0, 0}));
  const test::TempFolder folder;
  const Result<FreeSpace> space = free_space(folder.path());
  REQUIRE(space);
  CHECK(space->total >= space->free);
  CHECK(space->total > 0);
  CHECK_FALSE(free_space(folder.path("absent")));
}
