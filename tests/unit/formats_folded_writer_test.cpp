// SPDX-License-Identifier: Apache-2.0
#include "formats/folded_writer.h"

#include "tests/support/profile_builder.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::formats;
using hprof::testing::add_stack;
using hprof::testing::inlined_profile;
using hprof::testing::profile_of;

namespace {

std::string folded(const Profile& profile, const WriteOptions& options = {}) {
  StringSink sink;
  REQUIRE(write_folded(profile, sink, options));
  return sink.take();
}

}  // namespace

TEST_CASE("folded: lines keep the order of the samples and lead from the root to the leaf") {
  CHECK(folded(profile_of({{"z;b", 2}, {"a;b;c", 30}, {"a;b", 1}})) == "z;b 2\na;b;c 30\na;b 1\n");
}

TEST_CASE("folded: inlined frames stand one by one, innermost last") {
  CHECK(folded(inlined_profile()) ==
        "line3000;line3001;line3002;line2000;line2001;line1000 1000\n"
        "line3000;line3001;line1000 100\n"
        "line3000;line3002;line2000;line2001 10\n"
        "line3000;line3001;line3002 10\n");
}

TEST_CASE("folded: stacks of different addresses but equal names are one line") {
  Profile p;
  p.add_sample_type("samples", "count");
  const Line line{p.intern_function("f"), 0, 0};
  const std::int64_t one = 1;
  for (std::uint64_t address = 1; address <= 3; ++address) {
    p.add_sample(p.intern_stack(0, p.intern_location(0, address, {&line, 1})), 0, {&one, 1});
  }
  CHECK(folded(p) == "f 3\n");
}

TEST_CASE("folded: a separator or line break inside a name is replaced, zero counts vanish") {
  Profile p = profile_of({{"gone", 0}});
  const Line line{p.intern_function("a;b\nc"), 0, 0};
  const std::int64_t five = 5;
  p.add_sample(p.intern_stack(0, p.intern_location(0, 0, {&line, 1})), 0, {&five, 1});
  p.add_sample(0, 0, {&five, 1});
  CHECK(folded(p) == "a:b c 5\n[unknown] 5\n");
}

TEST_CASE("folded: a difference has two counts, before and after") {
  Profile p = profile_of({{"a;b", 7}, {"a;c", -3}});
  add_stack(p, "a;b", {-2}, p.intern_labels(std::array{p.text_label("pprof::base", "true")}));
  Notes notes;
  CHECK(folded(p, {.notes = &notes}) == "a;b 2 7\na;c 3 0\n");
  CHECK(notes.size() == 2);
}

TEST_CASE("folded: what is left out is said in one remark") {
  Notes notes;
  CHECK(folded(inlined_profile(), {.sample_type = 1, .notes = &notes}) != "");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] ==
        "folded output of cpu/milliseconds leaves out: labels, addresses, source lines, "
        "samples/count");
}

TEST_CASE("folded: a sample type that is not there is a usage error") {
  StringSink sink;
  const Result<void> result = write_folded(profile_of({{"a", 1}}), sink, {.sample_type = 3});
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::usage);
}
