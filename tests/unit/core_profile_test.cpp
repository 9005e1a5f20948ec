// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/profile.h>

#include <doctest/doctest.h>

#include <array>

using namespace hprof;

TEST_CASE("equal strings, functions, locations, stacks and labels share one id") {
  Profile p;
  CHECK(p.intern("") == 0);
  CHECK(p.intern("main") == p.intern("main"));
  const FunctionId f = p.intern_function("main");
  CHECK(p.intern_function("main") == f);
  const Line line{f, 3, 0};
  const LocationId l = p.intern_location(0, 0x1000, {&line, 1});
  CHECK(p.intern_location(0, 0x1000, {&line, 1}) == l);
  CHECK(p.intern_location(0, 0x1001, {&line, 1}) != l);
  const StackId s = p.intern_stack(0, l);
  CHECK(p.intern_stack(0, l) == s);
  CHECK(p.intern_stack(s, l) != s);
  const std::array<Label, 1> labels{p.text_label("thread", "x")};
  CHECK(p.intern_labels(labels) == p.intern_labels(labels));
}

TEST_CASE("accumulate adds to the row of the same stack and labels") {
  Profile p;
  p.add_sample_type("samples", "count");
  const StackId s = p.intern_stack(0, p.intern_location(0, 1));
  const std::array<std::int64_t, 1> one{1};
  CHECK(p.accumulate(s, 0, one) == 0);
  CHECK(p.accumulate(s, 0, one) == 0);
  CHECK(p.accumulate(0, 0, one) == 1);
  CHECK(p.value(0, 0) == 2);
  CHECK(p.total(0) == 3);
}

TEST_CASE("a location that gets its lines later is still found by them") {
  Profile p;
  const LocationId l = p.intern_location(0, 7);
  const Line line{p.intern_function("f"), 1, 0};
  p.set_lines(l, {&line, 1});
  CHECK(p.intern_location(0, 7, {&line, 1}) == l);
  CHECK(p.intern_location(0, 7) != l);
}

TEST_CASE("an unnamed frame shows module and offset, module, or [unknown]") {
  Profile p;
  const MappingId m = p.add_mapping(
      {.start = 0x1000, .limit = 0x2000, .file_offset = 0x500, .filename = p.intern("/lib/x.so")});
  CHECK(frame_name(p, p.intern_location(m, 0x1010), 0) == "[x.so+0x510]");
  CHECK(frame_name(p, p.intern_location(m, 0x10), 0) == "[x.so]");
  CHECK(frame_name(p, p.intern_location(0, 0x10), 0) == "[unknown]");
}
