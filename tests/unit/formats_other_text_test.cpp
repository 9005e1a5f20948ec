// SPDX-License-Identifier: Apache-2.0
#include "formats/dtrace_text.h"
#include "formats/goroutine_text.h"
#include "formats/heaptrack.h"
#include "formats/java_hprof_text.h"
#include "formats/massif.h"
#include "formats/vtune_csv.h"

#include "corpus_support.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::formats;
using hprof::test::fold;
using hprof::test::Folded;

namespace {

using Reader = Result<Profile> (*)(ByteSource&, const ReadOptions&);

Result<Profile> read(Reader reader, std::string_view text) {
  MemorySource source{as_bytes(text), 17};
  return reader(source, {});
}

void check_malformed(Reader reader, std::string_view text, std::string_view place) {
  const auto p = read(reader, text);
  REQUIRE(!p);
  CHECK(p.error().kind == ErrorKind::malformed_input);
  CHECK_MESSAGE(p.error().message.find(place) != std::string::npos, p.error().message);
}

}  // namespace

TEST_CASE("massif: the peak's tree gives each node what its callers do not account for") {
  const auto p = read(read_massif,
                      "desc: x\ncmd: ./a\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nheap_tree=detailed\n"
                      "n0: 0 (heap allocation functions) malloc\n#-----------\nsnapshot=1\n#-----------\ntime=5\n"
                      "heap_tree=peak\nn2: 100 (heap allocation functions) malloc\n n1: 70 0x10: f(int) (a.c:7)\n"
                      "  n0: 60 0x20: main (a.c:9)\n n0: 30 in 2 places, all below massif's threshold (1.00%)\n"
                      "#-----------\nsnapshot=2\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"main;f(int)", 60}, {"f(int)", 10}, {"", 30}});
  check_malformed(read_massif, "desc: x\ntime_unit: i\nheap_tree=peak\nn1: 1 x\n   n0: 1 0x1: f (a.c:1)\n", "line 5");
}

TEST_CASE("heaptrack: allocations, temporaries, peak and leaks by trace") {
  const auto p = read(read_heaptrack,
                      "v 10250 2\nX ./app arg\nI 1000 10\nS leak:^quiet$\ns /bin/app\ns work\ns main\ns a.c\ns quiet\n"
                      "i 10 1 2 4 5\ni 20 1 3 4 9\ni 30 1 5 4 1\nt 2 0\nt 1 1\nt 3 1\na 64 2\na 10 3\n"
                      "+ 0\n- 0\n+ 0\n+ 1\nc 10\n- 0\n+ 1\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"main;work", 2}, {"main;quiet", 2}});
  CHECK(fold(*p, 1) == Folded{{"main;work", 1}});
  CHECK(fold(*p, 2) == Folded{{"main;work", 0x64}, {"main;quiet", 0x10}});
  CHECK(fold(*p, 3) == Folded{});
  check_malformed(read_heaptrack, "v 10250 2\nX a\nt 1 0\n", "line 3");
  check_malformed(read_heaptrack, "hello\n", "line 1");
}

TEST_CASE("heaptrack: version 3 puts lengths before strings; raw recordings have modules and pointers") {
  const auto p = read(read_heaptrack,
                      "v 10400 3\nx 5 /bin/a\nm 1 -\nm 6 /bin/a 1000 0 1000\nt 1011 0\nt 1021 1\n+ 20 2 abc0\n+ 10 1 abd0\n- abd0\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"[a+0x10];[a+0x20]", 1}, {"[a+0x10]", 1}});
  CHECK(fold(*p, 1) == Folded{{"[a+0x10]", 1}});
  CHECK(fold(*p, 3) == Folded{{"[a+0x10];[a+0x20]", 0x20}});
}

TEST_CASE("goroutine text: state, wait and creator are labels, arguments go") {
  const auto p = read(read_goroutine_text,
                      "goroutine 1 [chan receive, 5 minutes, locked to thread]:\nmain.(*T).wait(0xc0, {0x1, 0x2})\n"
                      "\t/src/a.go:12 +0x1f\nmain.main()\n\t/src/a.go:3 +0x5\n\n"
                      "goroutine 7 [running]:\nmain.work(...)\n\t/src/b.go:9\ncreated by main.main in goroutine 1\n\t/src/a.go:2 +0x9\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"main.main;main.(*T).wait", 1}, {"main.work", 1}});
  const auto labels = p->labels(p->sample_labels(0));
  REQUIRE(labels.size() == 2);
  CHECK(p->string(labels[0].text) == "chan receive");
  CHECK(labels[1].number == 5);
  CHECK(p->string(p->labels(p->sample_labels(1))[1].text) == "main.main");
  check_malformed(read_goroutine_text, "nothing\n", "line 1");
}

TEST_CASE("dtrace: stacks end in their count, offsets go, modules stay in the names") {
  const auto p = read(read_dtrace,
                      "CPU     ID                    FUNCTION:NAME\n  0  64091    :tick-60s\n\n\n"
                      "  genunix`b+0x20\n  unix`a\n  5\n\n  j`x->y\n  2\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"unix`a;genunix`b", 5}, {"j`x;y", 2}});
  check_malformed(read_dtrace, "CPU ID FUNCTION:NAME\n\n", "no stack");
}

TEST_CASE("java hprof: both CPU tables find their traces") {
  const auto p = read(read_java_hprof,
                      "JAVA PROFILE 1.0.1, created now\n\nTRACE 300:\n\ta.B.f(B.java:7)\n\ta.B.main(B.java:3)\n"
                      "CPU SAMPLES BEGIN (total = 4) now\nrank   self  accum   count trace method\n"
                      "   1 75,00% 75,00%       3   300 a.B.f\n   2 25,00% 100,00%       1   999 gone\nCPU SAMPLES END\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"a.B.main;a.B.f", 3}, {"", 1}});
  check_malformed(read_java_hprof, "JAVA PROFILE 1.0.1\n", "no CPU SAMPLES");
}

TEST_CASE("vtune: indentation is the call tree, seconds become nanoseconds") {
  const auto p = read(read_vtune, "Function Stack,CPU Time:Self,Module\nTotal,0.0,[Unknown]\n main,0.5,a.exe\n  \"f<a,b>\",0.031,a.exe\n");
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(fold(*p, 0) == Folded{{"Total;main", 500000000}, {"Total;main;f<a,b>", 31000000}});
  check_malformed(read_vtune, "Function Stack,CPU Time:Self,Module\nTotal,x,[U]\n", "line 2");
  check_malformed(read_vtune, "Function Stack,CPU Time:Self,Module\n   deep,1,[U]\n", "line 2");
}
