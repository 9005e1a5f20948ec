// SPDX-License-Identifier: Apache-2.0
#include "formats/legacy_model.h"
#include "formats/legacy_readers.h"

#include "corpus_support.h"
#include "perf_data_maker.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace hprof;
using namespace hprof::formats;

namespace {

using Reader = Result<Profile> (*)(ByteSource&, const ReadOptions&);

Result<Profile> read(Reader reader, std::string_view text) {
  MemorySource source{as_bytes(text), 13};
  return reader(source, {});
}

std::string types(const Profile& p) {
  std::string out;
  for (const ValueType& type : p.sample_types()) {
    out += std::string{p.string(type.type)} + "/" + std::string{p.string(type.unit)} + " ";
  }
  return out;
}

std::vector<std::uint64_t> addresses(const Profile& p, std::uint32_t row) {
  std::vector<LocationId> stack;
  p.stack_leaf_first(p.sample_stack(row), stack);
  std::vector<std::uint64_t> out;
  for (const LocationId id : stack) out.push_back(p.location(id).address);
  return out;
}
using Addresses = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("heap text: allocated columns appear where they differ, all frames are inside the call") {
  const auto p = read(read_legacy_heap,
                      "heap profile: 3: 300 [4: 400] @ heapprofile\n"
                      " 1: 100 [2: 200] @ 0x10 0x20\n 2: 200 [2: 200] @ 0x10\n"
                      "MAPPED_LIBRARIES:\n00000000-00000100 r-xp 00000000 08:01 7 /bin/app\n");
  REQUIRE(p);
  CHECK(types(*p) == "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes ");
  CHECK(p->value(1, 0) == 200);
  CHECK(p->value(3, 0) == 100);
  CHECK(addresses(*p, 0) == Addresses{0x0f, 0x1f});
  CHECK(p->labels(p->sample_labels(0))[0].number == 100);
  CHECK(p->string(p->mapping(1).filename) == "/bin/app");
  CHECK(p->header.drop_frames != 0);
}

TEST_CASE("heap text: sampled values are unbiased by each object's size") {
  const auto p = read(read_legacy_heap, "heap profile: 1: 1024 [1: 1024] @ heap_v2/524288\n1: 1024 [1: 1024] @ 0x10\n");
  REQUIRE(p);
  const double scale = 1 / (1 - std::exp(-1024.0 / 524288));
  CHECK(p->value(0, 0) == static_cast<std::int64_t>(scale));
  CHECK(p->value(1, 0) == static_cast<std::int64_t>(1024 * scale));
  CHECK(p->header.period == 524288);
  const auto old = read(read_legacy_heap, "heap profile: 1: 1024 [1: 1024] @ heap/1048576\n1: 1024 [1: 1024] @ 0x10\n");
  REQUIRE(old);
  CHECK(old->value(1, 0) == p->value(1, 0));
}

TEST_CASE("heap text: names that Go prints below a stack are kept") {
  const auto p = read(read_legacy_heap,
                      "heap profile: 1: 8 [1: 8] @ heap/2\n1: 8 [1: 8] @ 0x11 0x21\n"
                      "#\t0x10\tmain.inner+0x4\t\t/src/a.go:7\n#\t0x20\tmain.main+0x9\t/src/a.go:12\n\n");
  REQUIRE(p);
  std::vector<LocationId> stack;
  p->stack_leaf_first(p->sample_stack(0), stack);
  REQUIRE(p->lines(stack[0]).size() == 1);
  CHECK(frame_name(*p, stack[0], 0) == "main.inner");
  CHECK(p->lines(stack[1])[0].line == 12);
}

TEST_CASE("heap text: growth and fragmentation are read, lies are named by line") {
  for (const char* kind : {"growthz", "growth", "fragmentationz"}) {
    const auto p = read(read_legacy_heap, std::string{"heap profile: 1: 8 [1: 8] @ "} + kind + "\n1: 8 [1: 8] @ 0x11\n");
    REQUIRE(p);
    CHECK(p->header.period == 1);
  }
  const auto p = read(read_legacy_heap, "heap profile: 1: 8 [1: 8] @ growthz\n1: 8 [1: 8] @ 0x1\n0: 8 [0: 0] @ 0x2\n");
  REQUIRE(!p);
  CHECK(p.error().kind == ErrorKind::malformed_input);
  CHECK(p.error().message.find("line 3") != std::string::npos);
}

TEST_CASE("contention: delays scale with period and frequency") {
  const auto p = read(read_legacy_contention,
                      "--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 100\n"
                      "ms since reset = 5\ndiscarded samples = 0\n  400   3 @ 0x11 0x21\n");
  REQUIRE(p);
  CHECK(types(*p) == "contentions/count delay/nanoseconds ");
  CHECK(p->value(0, 0) == 300);
  CHECK(p->value(1, 0) == 20000);
  CHECK(p->header.duration_nanos == 5'000'000);
  CHECK(addresses(*p, 0) == Addresses{0x10, 0x20});
  const auto go = read(read_legacy_contention, "--- mutex:\ncycles/second=1000000000\nsampling period=1\n5 1 @ 0x11\n#\t0x10\tmain.f+0x1\ta.go:3\n");
  REQUIRE(go);
  CHECK(go->value(1, 0) == 5);
  CHECK(go->function_count() == 1);
}

TEST_CASE("threads: a thread without a stack of its own counts for the one before") {
  const auto p = read(read_legacy_threads,
                      "--- threadz 1 ---\n\n--- Thread 7f1 (name: main/10) stack: ---\n  PC: 0x10 0x21 0x31\n"
                      "--- Thread 7f2 (name: w/11) stack: ---\n   [same as previous thread]\n"
                      "--- Memory map: ---\n  00000000-00001000: /bin/app\n");
  REQUIRE(p);
  CHECK(p->sample_count() == 1);
  CHECK(p->value(0, 0) == 2);
  CHECK(addresses(*p, 0) == Addresses{0x10, 0x20, 0x30});
  CHECK(p->mapping_count() == 1);
}

TEST_CASE("go count: stacks, names and labels of debug=1 text") {
  const auto p = read(read_go_count,
                      "goroutine profile: total 3\n2 @ 0x11 0x21\n# labels: {\"user\":\"a\\\"b\"}\n"
                      "#\t0x10\truntime.gopark+0x1\t/go/proc.go:3\n\n1 @ 0x11\n");
  REQUIRE(p);
  CHECK(types(*p) == "goroutine/count ");
  CHECK(p->total(0) == 3);
  CHECK(p->string(p->labels(p->sample_labels(0))[0].text) == "a\"b");
  const auto bad = read(read_go_count, "goroutine profile: total 3\nx @ 0x11\n");
  REQUIRE(!bad);
  CHECK(bad.error().message.find("line 2") != std::string::npos);
}

TEST_CASE("gperftools cpu: both word sizes and byte orders read alike") {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    for (const bool wide : {false, true}) {
      test::Packer packer{order};
      const auto put = [&](std::initializer_list<std::uint64_t> words) {
        for (const std::uint64_t w : words) wide ? packer.u64(w) : packer.u32(static_cast<std::uint32_t>(w));
      };
      put({0, 3, 0, 10000, 0});
      put({2, 3, 0x1010, 0x1021, 0x1031});
      put({1, 2, 0x1050, 0x1061});
      put({0, 1, 0});
      packer.text("00001000-00002000 r-xp 00000000 08:01 7 /bin/app\n");
      const auto p = read(read_gperftools_cpu, packer.bytes());
      REQUIRE_MESSAGE(p, p.error().message);
      CHECK(types(*p) == "samples/count cpu/nanoseconds ");
      CHECK(p->value(1, 0) == 20'000'000);
      CHECK(addresses(*p, 0) == Addresses{0x1010, 0x1020, 0x1030});
      CHECK(p->string(p->mapping(1).filename) == "/bin/app");
      CHECK(sniff_gperftools_cpu({as_bytes(packer.bytes()), true}) == Sniff::magic);
      const auto cut = read(read_gperftools_cpu, std::string_view{packer.bytes()}.substr(0, (wide ? 8 : 4) * 8));
      REQUIRE(!cut);
      CHECK(cut.error().kind == ErrorKind::malformed_input);
    }
  }
}

TEST_CASE("gperftools cpu: frames of the signal handler and a doubled leaf go") {
  test::Packer packer;
  for (const std::uint64_t w : {0, 3, 0, 10000, 0}) packer.u64(w);
  for (std::uint64_t i = 0; i < 40; ++i) {
    for (const std::uint64_t w : {std::uint64_t{1}, std::uint64_t{4}, 0x100 + i * 16, std::uint64_t{0x9001}, 0x100 + i * 16, std::uint64_t{0x5001}}) packer.u64(w);
  }
  for (const std::uint64_t w : {0, 1, 0}) packer.u64(w);
  const auto p = read(read_gperftools_cpu, packer.bytes());
  REQUIRE(p);
  CHECK(p->sample_count() == 40);
  CHECK(addresses(*p, 3) == Addresses{0x130, 0x5000});
}

TEST_CASE("java text: names come from the table at the end") {
  const auto p = read(read_legacy_contention,
                      "--- heapz 1 ---\nformat = java\nresolution = bytes\n 1024 2 @ 0x1 0x2\n"
                      " 0x1 com.example.A.f (A.java:7)\n 0x2 libjvm (/usr/lib/libjvm.so)\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(types(*p) == "inuse_objects/count inuse_space/bytes ");
  CHECK(test::fold(*p, 0).begin()->first == "libjvm;com.example.A.f");
  CHECK(p->labels(p->sample_labels(0))[0].number == 512);
  const auto c = read(read_legacy_contention,
                      "--- contentionz 1 ---\nformat = java\nresolution = microseconds\nsampling period = 100\n"
                      "ms since reset = 6\n 14 1 @ 0x1\n 0x1 A.f (A.java:7)\n");
  REQUIRE_MESSAGE(c, c.error().message);
  CHECK(types(*c) == "contentions/count delay/microseconds ");
  CHECK(c->value(1, 0) == 1400);
}

TEST_CASE("jemalloc: threads are kept apart, totals are not counted twice") {
  const auto p = read(read_jemalloc_heap,
                      "heap_v2/524288\n  t*: 9: 9000 [0: 0]\n  t1: 9: 9000 [0: 0]\n@ 0x11 0x21\n"
                      "  t*: 3: 3000 [0: 0]\n  t1: 1: 1000 [0: 0]\n  t7: 2: 2000 [0: 0]\n\nMAPPED_LIBRARIES:\n"
                      "00000000-00001000 r-xp 00000000 00:11 9 /bin/app\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(p->sample_count() == 2);
  CHECK(types(*p) == "objects/count space/bytes ");
  const auto labels = p->labels(p->sample_labels(1));
  CHECK(labels[0].number == 7);
  CHECK(labels[1].number == 1000);
}

TEST_CASE("memory map: both grammars, variables, log prefixes; data mappings are left out") {
  std::vector<LegacyProfile::Region> regions;
  parse_memory_map("build=/opt/app\n"
                   "00400000-00500000 r-xp 00001000 08:01 123 $build/bin\n"
                   "00500000-00600000 rw-p 00000000 08:01 123 $build/bin\n"
                   "I0101 00:00:00 maps.cc:12] 7f0000000000-7f0000001000 r-xp 00000000 08:01 5 /lib/l.so.6\n"
                   "  0x1000-0x2000: /brief (@ff) abc123\nnonsense\n",
                   regions);
  REQUIRE(regions.size() == 3);
  CHECK(regions[0].file == "/opt/app/bin");
  CHECK(regions[0].offset == 0x1000);
  CHECK(regions[1].file == "/lib/l.so.6");
  CHECK(regions[2].offset == 0xff);
  CHECK(regions[2].build_id == "abc123");
}
