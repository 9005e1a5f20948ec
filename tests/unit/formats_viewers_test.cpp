// SPDX-License-Identifier: Apache-2.0
#include "formats/callgrind_writer.h"
#include "formats/chrome_writer.h"
#include "formats/dot_writer.h"
#include "formats/firefox_writer.h"
#include "formats/json_text.h"
#include "formats/otlp_writer.h"
#include "formats/speedscope_writer.h"
#include "formats/table_writers.h"
#include "tests/support/golden.h"
#include "tests/support/profile_builder.h"

#include <hprof/formats/registry.h>

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::formats;
using namespace hprof::testing;

namespace {

using Writer = Result<void> (*)(const Profile&, ByteSink&, const WriteOptions&);

std::string text_of(Writer write, const Profile& profile, const WriteOptions& options = {}) {
  StringSink sink;
  REQUIRE(write(profile, sink, options));
  return sink.take();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Profile with_threads() {
  Profile p;
  p.add_sample_type("cpu", "nanoseconds");
  const auto thread = [&](std::string_view name, std::int64_t id) {
    return p.intern_labels(std::array{p.text_label("thread", name), p.number_label("tid", id)});
  };
  add_stack(p, "main;work", {1'500'000}, thread("main", 7));
  add_stack(p, "main;work;deep", {2'000'500}, thread("main", 7));
  add_stack(p, "start;io", {4'000'000}, thread("io", 8));
  return p;
}

// Names that every text format must survive.
Profile hostile() { return profile_of({{"a\"\\<>&'|,\n\x01\xff\xe2\x80\xa8;b</script>{}%", 3}}); }

}  // namespace

TEST_CASE("viewers' formats of a small profile") {
  const Profile p = inlined_profile();
  const WriteOptions options{.sample_type = 1, .title = "small"};
  check_golden("speedscope/inlined.speedscope.json", text_of(write_speedscope, p, options));
  check_golden("firefox/inlined.firefox.json", text_of(write_firefox, p, options));
  check_golden("chrome/inlined.cpuprofile", text_of(write_cpuprofile, p, options));
  check_golden("chrome/inlined.trace.json", text_of(write_chrome_trace, p, options));
  check_golden("callgrind/inlined.callgrind", text_of(write_callgrind, p, options));
  check_golden("dot/inlined.dot", text_of(write_dot, p, options));
  check_golden("json/inlined.json", text_of(write_json, p, options));
  check_golden("csv/inlined.csv", text_of(write_csv, p, options));
  check_golden("markdown/inlined.md", text_of(write_markdown, p, options));
}

TEST_CASE("viewers' formats of hostile names") {
  for (const auto& [name, write] :
       {std::pair<const char*, Writer>{"hostile/hostile.speedscope.json", write_speedscope},
        {"hostile/hostile.firefox.json", write_firefox},
        {"hostile/hostile.cpuprofile", write_cpuprofile},
        {"hostile/hostile.trace.json", write_chrome_trace},
        {"hostile/hostile.callgrind", write_callgrind},
        {"hostile/hostile.dot", write_dot},
        {"hostile/hostile.json", write_json},
        {"hostile/hostile.csv", write_csv},
        {"hostile/hostile.md", write_markdown}}) {
    check_golden(name, text_of(write, hostile()));
  }
}

TEST_CASE("threads stay apart where a format knows threads") {
  const Profile p = with_threads();
  const std::string speedscope = text_of(write_speedscope, p);
  CHECK(has(speedscope, "\"name\":\"cpu, main (7)\",\"unit\":\"nanoseconds\",\"startValue\":0,"
                        "\"endValue\":3500500,\"samples\":[[0,1],[0,1,2]],"
                        "\"weights\":[1500000,2000500]"));
  CHECK(has(speedscope, "\"name\":\"cpu, io (8)\""));
  const std::string firefox = text_of(write_firefox, p);
  CHECK(has(firefox, "\"name\":\"io\",\"isMainThread\":false"));
  CHECK(has(firefox, "\"weightType\":\"tracing-ms\",\"weight\":[1.5,2.0005]"));
  const std::string trace = text_of(write_chrome_trace, p);
  CHECK(has(trace, "\"name\":\"io\",\"pid\":1,\"tid\":2,\"ts\":0.000,\"dur\":4000.000}"));
  CHECK(has(trace, "\"name\":\"work\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":3500.500}"));
}

TEST_CASE("cpuprofile: whole microseconds, whose sum is the total however they are rounded") {
  Profile p;
  p.add_sample_type("cpu", "nanoseconds");
  for (const char* name : {"a", "b", "c", "d"}) add_stack(p, name, {1400});
  const std::string text = text_of(write_cpuprofile, p);
  CHECK(has(text, "\"timeDeltas\":[0,1,2,1],\"endTime\":6}"));
}

TEST_CASE("callgrind: own cost and calls of a function add up to its inclusive cost") {
  const std::string text = text_of(write_callgrind, profile_of({{"f;g;f", 5}, {"f;g", 2}}));
  CHECK(has(text, "events: samples\nsummary: 7\n"));
  // f: own 5 as leaf, and its call of g where it does not occur again: 2. g: own 2, call of f 5.
  CHECK(has(text, "fn=(1) f\n0 5\ncob=(1)\ncfi=(1)\ncfn=(2) g\ncalls=1 0\n0 2\n"));
  CHECK(has(text, "fn=(2)\n0 2\ncob=(1)\ncfi=(1)\ncfn=(1)\ncalls=1 0\n0 5\n"));
}

TEST_CASE("formats that cannot hold values below zero refuse them with a way out") {
  const Profile p = profile_of({{"a", -1}});
  for (const Writer write :
       {write_speedscope, write_firefox, write_cpuprofile, write_chrome_trace, write_callgrind}) {
    StringSink sink;
    const Result<void> result = write(p, sink, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::unsupported);
    CHECK(!result.error().hint.empty());
    CHECK(sink.text().empty());
  }
  CHECK(has(text_of(write_dot, p, {.negative = true}), "-1 (100%)"));
}

TEST_CASE("otlp: tables begin with their zero value, one profile for each column") {
  Profile p;
  p.add_sample_type("n", "count");
  add_stack(p, "f", {3}, p.intern_labels(std::array{p.number_label("k", 0)}));
  constexpr char kExpected[] =
      "\x0a\x21"                       // resource_profiles
      "\x0a\x00"                       //   resource
      "\x12\x1d"                       //   scope_profiles
      "\x0a\x07\x0a\x05hprof"          //     scope
      "\x12\x12"                       //     profile
      "\x0a\x04\x08\x01\x10\x02"       //       sample_type n, count
      "\x12\x08\x08\x01\x12\x01\x01\x22\x01\x03"  // sample: stack 1, attribute 1, value 3
      "\x2a\x00"                       //       period_type
      "\x12\x37"                       // dictionary
      "\x0a\x00\x12\x00\x1a\x00\x22\x00\x2a\x00\x32\x00\x3a\x00"  // zero values
      "\x2a\x01n\x2a\x05" "count\x2a\x01" "f"
      "\x1a\x04\x08\x03\x10\x03"       //   function f
      "\x12\x04\x1a\x02\x08\x01"       //   location
      "\x3a\x03\x0a\x01\x01"           //   stack
      "\x2a\x01k"
      "\x32\x06\x08\x04\x12\x02\x18\x00";  // attribute k = 0
  CHECK(text_of(write_otlp, p) == std::string{kExpected, sizeof kExpected - 1});
}

TEST_CASE("json text: quotes, controls, broken UTF-8 and the end of a script are escaped") {
  CHECK(json_text("a\"\\\n\x01</b/\xff\xc3\xa9") ==
        "\"a\\\"\\\\\\n\\u0001<\\/b/\\ufffd\xc3\xa9\"");
}

TEST_CASE("every writer takes a profile with nothing in it") {
  for (const Format& format : all_formats()) {
    if (format.write == nullptr) continue;
    INFO(format.name);
    StringSink sink;
    CHECK(format.write(Profile{}, sink, {}));
  }
}

TEST_CASE("the longest extension names the format") {
  const auto name = [](std::string_view path) {
    const Format* format = format_for_output(path);
    return format == nullptr ? std::string_view{} : format->name;
  };
  CHECK(name("x.speedscope.json") == "speedscope");
  CHECK(name("x.json") == "json");
  CHECK(name("x.raw.txt") == "raw");
  CHECK(name("x.txt") == "top");
  CHECK(name("x.folded.txt") == "folded");
  CHECK(name("x.html") == "html");
}
