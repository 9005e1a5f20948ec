// SPDX-License-Identifier: Apache-2.0
#include "formats/flamegraph_svg.h"

#include "tests/support/golden.h"
#include "tests/support/profile_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace hprof;
using namespace hprof::formats;
using namespace hprof::testing;

namespace {

std::string svg_of(const Profile& profile, const WriteOptions& options = {}) {
  StringSink sink;
  REQUIRE(write_flamegraph_svg(profile, sink, options));
  return sink.take();
}

std::string frames_of(const std::string& svg) { return svg.substr(svg.find("<svg id=\"frames\"")); }

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("svg: every frame has its exact place and value, siblings in order of their names") {
  check_golden("svg/small.frames.txt",
               frames_of(svg_of(profile_of({{"a;c", 5}, {"a;b;b2", 3}, {"a", 1}, {"d", 1}}))));
}

TEST_CASE("svg: an icicle grows down, a reversed graph begins with the leaves") {
  const std::string svg =
      frames_of(svg_of(profile_of({{"a;x", 2}, {"b;x", 1}}), {.inverted = true, .reverse = true}));
  CHECK(has(svg, "<g><title>x (3 samples, 100.00%)</title><rect x=\"0.0000%\" y=\"68\""));
  CHECK(has(svg, "<g><title>a (2 samples, 66.67%)</title><rect x=\"0.0000%\" y=\"84\""));
}

TEST_CASE("svg: names are escaped, control characters and broken UTF-8 replaced") {
  const std::string svg = frames_of(svg_of(profile_of({{"v<&\">\x01\xff\xc3\xa9", 1}})));
  CHECK(has(svg, "<title>v&lt;&amp;&quot;&gt;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9 (1 samples, 100.00%)"));
}

TEST_CASE("svg: a whole picture of hostile names, which tests/cli gives to xmllint") {
  check_golden("hostile/hostile.svg",
               svg_of(profile_of({{"a\"\\<>&'|,\n\x01\xff\xe2\x80\xa8]]>;b</script>{}%", 3}})));
}

TEST_CASE("svg: frames under the minimum width are left out and counted") {
  Notes notes;
  const std::string svg = frames_of(svg_of(profile_of({{"wide", 999}, {"thin;x", 1}}),
                                           {.min_width = 0.01, .notes = &notes}));
  CHECK(has(svg, "<title>wide "));
  CHECK_FALSE(has(svg, "<title>thin "));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == "svg output leaves out 1 frames narrower than 1 % of the total");
}

TEST_CASE("svg: a difference keeps what vanished and colours the change") {
  Profile p = profile_of({{"up", 6}, {"same", 2}});
  const LabelSetId base = p.intern_labels(std::array{p.text_label("pprof::base", "true")});
  add_stack(p, "up", {-2}, base);
  add_stack(p, "same", {-2}, base);
  add_stack(p, "gone", {-2}, base);
  const std::string svg = frames_of(svg_of(p, {.negative = true}));
  CHECK(has(svg, "<title>up (6 samples, 60.00%; +40.00%)</title>"));
  CHECK(has(svg, "<title>gone (2 samples, 20.00%; -20.00%)</title>"));
  CHECK(has(svg, "<title>same (2 samples, 20.00%; +0.00%)</title>"));
  CHECK(has(svg, "fill=\"rgb(250,88,88)\""));
  CHECK(has(svg, "fill=\"rgb(238,238,238)\""));
}

TEST_CASE("svg: time is shown in units, a profile without samples is one frame") {
  Profile p;
  p.add_sample_type("cpu", "nanoseconds");
  CHECK(has(frames_of(svg_of(p)), "<title>all (0, 100.00%)</title>"));
  add_stack(p, "f", {1'500'000'000});
  CHECK(has(frames_of(svg_of(p)), "<title>f (1.50s, 100.00%)</title>"));
}
