// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/proc_maps.h>

#include <doctest/doctest.h>

using namespace hprof;

TEST_CASE("a line of maps gives range, rights, offset, device, inode and path") {
  const auto entry = parse_maps_line(
      "55d0c8a00000-55d0c8a02000 r-xp 00001000 fd:01 1234567                    /usr/bin/a b");
  REQUIRE(entry);
  CHECK(entry->start == 0x55d0c8a00000);
  CHECK(entry->end == 0x55d0c8a02000);
  CHECK(entry->executable);
  CHECK(entry->readable);
  CHECK_FALSE(entry->writable);
  CHECK_FALSE(entry->shared);
  CHECK(entry->file_offset == 0x1000);
  CHECK(entry->device_major == 0xfd);
  CHECK(entry->device_minor == 1);
  CHECK(entry->inode == 1234567);
  CHECK(entry->path == "/usr/bin/a b");
  CHECK_FALSE(entry->deleted);
}

TEST_CASE("what the kernel adds to paths is taken off again") {
  CHECK(parse_maps_line("1000-2000 r-xp 0 0:1 7 /x (deleted)")->path == "/x");
  CHECK(parse_maps_line("1000-2000 r-xp 0 0:1 7 /x (deleted)")->deleted);
  CHECK(parse_maps_line("1000-2000 r-xp 0 0:1 7 /a\\012b")->path == "/a\nb");
  CHECK(parse_maps_line("1000-2000 rwxs 0 0:1 7 /a\\b")->path == "/a\\b");
  CHECK(parse_maps_line("1000-2000 rwxs 0 0:1 7 /a")->shared);
}

TEST_CASE("ranges without a path are read with an empty one") {
  CHECK(parse_maps_line("7ffc0000-7ffd0000 rwxp 00000000 00:00 0")->path.empty());
  CHECK(parse_maps_line("7ffc0000-7ffd0000 rwxp 00000000 00:00 0 ")->path.empty());
  CHECK(parse_maps_line("ffffffffff600000-ffffffffff601000 --xp 0 00:00 0   [vsyscall]")->path ==
        "[vsyscall]");
}

TEST_CASE("malformed lines are skipped and counted") {
  for (const char* line : {"", "x", "1000", "1000-", "2000-1000 r-xp 0 0:0 0", "1000-2000 r-x",
                           "1000-2000 r-xp zz 0:0 0", "1000-2000 r-xp 0 0 0",
                           "11111111111111111-2000 r-xp 0 0:0 0"}) {
    CHECK_FALSE(parse_maps_line(line));
  }
  std::size_t skipped = 0;
  CHECK(parse_maps("1000-2000 r-xp 0 0:0 0\nnonsense\n3000-4000 r--p 0 0:0 0 /y", &skipped).size() ==
        2);
  CHECK(skipped == 1);
}
