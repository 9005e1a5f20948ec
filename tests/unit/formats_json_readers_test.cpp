// SPDX-License-Identifier: Apache-2.0
// Readers of formats that browsers and their tools write, and of call graphs and pictures.
#include "formats/callgrind_reader.h"
#include "formats/flamegraph_svg.h"
#include "formats/json_readers.h"
#include "formats/svg_reader.h"

#include <hprof/formats/registry.h>

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace hprof;           // NOLINT(google-build-using-namespace)
using namespace hprof::formats;  // NOLINT(google-build-using-namespace)

namespace {

using Folded = std::map<std::string, std::int64_t>;

Folded folded(const Profile& p, std::size_t column) {
  Folded out;
  std::vector<LocationId> stack;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    p.stack_leaf_first(p.sample_stack(row), stack);
    std::string text;
    for (std::size_t i = stack.size(); i > 0; --i) {
      text += (text.empty() ? "" : ";") + frame_name(p, stack[i - 1], 0);
    }
    if (p.value(column, row) != 0) out[text] += p.value(column, row);
  }
  return out;
}

// Reads by detection, so that the sniffers are tested too.
Result<Profile> read(std::string_view text, std::string_view format) {
  MemorySource source{as_bytes(text)};
  const Format* found = nullptr;
  Result<Profile> p = read_profile(source, "x", nullptr, {}, &found);
  if (p) CHECK_MESSAGE(found->name == format, found->name);
  return p;
}

Profile good(std::string_view text, std::string_view format) {
  Result<Profile> p = read(text, format);
  REQUIRE_MESSAGE(p.has_value(), p.error().message);
  return *std::move(p);
}

std::string bad(std::string_view text, std::string_view format) {
  MemorySource source{as_bytes(text)};
  const Result<Profile> p = read_profile(source, "x", find_format(format), {});
  REQUIRE_FALSE(p.has_value());
  CHECK(p.error().kind == ErrorKind::malformed_input);
  return p.error().message;
}

constexpr std::string_view kHead =
    R"j({"$schema":"https://www.speedscope.app/file-format-schema.json",
        "shared":{"frames":[{"name":"a","file":"f.c","line":3},{"name":"b"}]},"profiles":[)j";

std::string speedscope(std::string_view profiles) {
  return std::string{kHead} + std::string{profiles} + "]}";
}

}  // namespace

TEST_CASE("speedscope: sampled and evented profiles weigh their stacks") {
  const Profile sampled = good(speedscope(R"j({"type":"sampled","name":"x","unit":"milliseconds",
      "samples":[[0],[0,1],[]],"weights":[1.5,2,4]})j"), "speedscope");
  CHECK(folded(sampled, 0) == Folded{{"a", 1500000}, {"a;b", 2000000}, {"", 4000000}});
  CHECK(sampled.string(sampled.sample_types()[0].unit) == "nanoseconds");
  const Profile evented = good(speedscope(R"j({"type":"evented","name":"x","unit":"bytes",
      "startValue":0,"endValue":10,"events":[{"type":"O","frame":0,"at":1},
      {"type":"O","frame":1,"at":3},{"type":"C","frame":1,"at":4},{"type":"C","frame":0,"at":9}]})j"),
      "speedscope");
  CHECK(folded(evented, 0) == Folded{{"a", 7}, {"a;b", 1}});
}

TEST_CASE("speedscope: contradictions are refused") {
  CHECK(bad(speedscope(R"j({"type":"sampled","samples":[[7]],"weights":[1]})j"), "speedscope")
            .find("frame 7 of 2") != std::string::npos);
  CHECK(bad(speedscope(R"j({"type":"sampled","samples":[[0]],"weights":[1,2]})j"), "speedscope")
            .find("2 weights for 1") != std::string::npos);
  CHECK(bad(speedscope(R"j({"type":"evented","events":[{"type":"O","frame":0,"at":5},
      {"type":"C","frame":0,"at":3}]})j"), "speedscope").find("comes after") != std::string::npos);
  CHECK(bad(speedscope(R"j({"type":"evented","events":[{"type":"C","frame":0,"at":5}]})j"),
            "speedscope").find("not open") != std::string::npos);
  CHECK(bad(speedscope(R"j({"type":"other"})j"), "speedscope").find("other") != std::string::npos);
  CHECK(bad(speedscope(""), "speedscope").find("no profiles") != std::string::npos);
  CHECK(bad("{\"shared\":", "speedscope").find("bad JSON") != std::string::npos);
}

TEST_CASE("JSON that is nested without end is refused, not followed") {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  for (const char* format : {"speedscope", "cpuprofile", "chrome-trace", "firefox", "heapprofile"}) {
    CHECK(bad(deep, format).find("bad JSON") != std::string::npos);
  }
}

TEST_CASE("cpuprofile: a sample lasts until the next one") {
  const Profile p = good(R"j({"nodes":[
      {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
      {"id":2,"callFrame":{"functionName":"main","url":"m.js","lineNumber":4,"columnNumber":2},"hitCount":1,"children":[3]},
      {"id":3,"callFrame":{"functionName":"","url":"m.js","lineNumber":9,"columnNumber":0},"hitCount":2}],
      "startTime":100,"endTime":200,"samples":[2,3,3],"timeDeltas":[10,20,30]})j", "cpuprofile");
  CHECK(folded(p, 0) == Folded{{"main", 1}, {"main;(anonymous)", 2}});
  CHECK(folded(p, 1) == Folded{{"main", 20000}, {"main;(anonymous)", 70000}});
  CHECK(p.lines(1)[0].line == 5);
  CHECK(p.header.duration_nanos == 100000);
}

TEST_CASE("cpuprofile: nodes in circles and unknown samples are refused") {
  CHECK(bad(R"j({"nodes":[{"id":1,"parent":2},{"id":2,"parent":1}]})j", "cpuprofile")
            .find("no way to a root") != std::string::npos);
  CHECK(bad(R"j({"nodes":[{"id":1},{"id":1}]})j", "cpuprofile").find("two nodes") != std::string::npos);
  CHECK(bad(R"j({"nodes":[{"id":1}],"samples":[9],"timeDeltas":[1]})j", "cpuprofile")
            .find("unknown node 9") != std::string::npos);
  CHECK(bad("{}", "cpuprofile").find("neither") != std::string::npos);
}

TEST_CASE("heapprofile: nodes hold their own bytes") {
  const Profile p = good(R"j({"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,
      "children":[{"callFrame":{"functionName":"f"},"selfSize":16,"id":2,"children":[
      {"callFrame":{"functionName":"g"},"selfSize":8,"id":3,"children":[]}]}]},"samples":[]})j",
      "heapprofile");
  CHECK(folded(p, 0) == Folded{{"f", 16}, {"f;g", 8}});
}

TEST_CASE("chrome-trace: spans nest by time in each thread") {
  const std::string events = R"j([{"pid":1,"tid":2,"ph":"M","name":"thread_name","args":{"name":"T"}},
      {"pid":1,"tid":2,"ph":"B","name":"a","ts":0},
      {"pid":1,"tid":2,"ph":"X","name":"b","ts":2,"dur":5},
      {"pid":1,"tid":3,"ph":"X","name":"c","ts":2,"dur":1},
      {"pid":1,"tid":2,"ph":"E","name":"a","ts":10})j";
  const Folded want = {{"a", 5000}, {"a;b", 5000}, {"c", 1000}};
  const Profile p = good(events + "]", "chrome-trace");
  CHECK(folded(p, 0) == want);
  bool named = false;
  for (const Label& l : p.labels(p.sample_labels(0))) named |= p.string(l.text) == "T";
  CHECK(named);
  // The end may be missing.
  CHECK(folded(good(events, "chrome-trace"), 0) == want);
  CHECK(folded(good(events + ",\n", "chrome-trace"), 0) == want);
  CHECK(folded(good(R"j({"traceEvents":)j" + events + "]}", "chrome-trace"), 0) == want);
}

TEST_CASE("chrome-trace: CPU profile chunks win over spans") {
  const Profile p = good(R"j({"traceEvents":[
      {"pid":1,"tid":1,"ph":"P","name":"Profile","id":"0x1","args":{"data":{"startTime":0}}},
      {"pid":1,"tid":9,"ph":"P","name":"ProfileChunk","id":"0x1","args":{"data":{"cpuProfile":{
        "nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
                 {"id":2,"parent":1,"callFrame":{"functionName":"f"}}],"samples":[2,2]},
        "timeDeltas":[5,7]}}},
      {"pid":1,"tid":1,"ph":"X","name":"span","ts":0,"dur":9}]})j", "chrome-trace");
  CHECK(folded(p, 0) == Folded{{"f", 2}});
  CHECK(folded(p, 1) == Folded{{"f", 7000}});
}

TEST_CASE("firefox: rows of the browser and columns of the page mean the same") {
  const Folded want = {{"main", 1}, {"main;f", 1}};
  const Profile gecko = good(R"j({"meta":{"interval":1,"version":20},"libs":[],"threads":[{
      "name":"T","tid":7,"pid":6,"stringTable":["main","f (a.js:3:4)"],
      "frameTable":{"schema":{"location":0,"line":1},"data":[[0],[1]]},
      "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},
      "samples":{"schema":{"stack":0,"time":1},"data":[[0,1.0],[1,3.5],[null,4.0]]}}]})j", "firefox");
  CHECK(folded(gecko, 0) == want);
  CHECK(folded(gecko, 1) == Folded{{"main", 2500000}, {"main;f", 500000}});
  const Profile page = good(R"j({"meta":{"interval":1,"preprocessedProfileVersion":50},"libs":[],"threads":[{
      "name":"T","tid":7,"pid":6,"stringArray":["main","f"],
      "funcTable":{"name":[0,1],"fileName":[null,null],"lineNumber":[null,null]},
      "frameTable":{"func":[0,1],"line":[null,3]},
      "stackTable":{"frame":[0,1],"prefix":[null,0]},
      "samples":{"stack":[0,1,null],"time":[1.0,3.5,4.0]}}]})j", "firefox");
  CHECK(folded(page, 0) == want);
  CHECK(folded(page, 1) == folded(gecko, 1));
}

TEST_CASE("firefox: indexes that lead nowhere are refused") {
  CHECK(bad(R"j({"meta":{},"threads":[{"stackTable":{"frame":[4],"prefix":[null]},
      "samples":{"stack":[0],"time":[1]}}]})j", "firefox").find("unknown frame") != std::string::npos);
  CHECK(bad(R"j({"meta":{}})j", "firefox").find("no threads") != std::string::npos);
}

TEST_CASE("callgrind: own costs are kept and shared out by the calls") {
  const Profile p = good(
      "# callgrind format\nevents: Instructions\n\nfl=(1) file1.c\nfn=(1) main\n16 20\ncfn=(2) func1\n"
      "calls=1 50\n16 400\ncfi=(2) file2.c\ncfn=(3) func2\ncalls=3 20\n16 400\n\nfn=(2)\n51 100\n"
      "cfi=(2)\ncfn=(3)\ncalls=2 20\n51 300\n\nfl=(2)\nfn=(3)\n20 700\n",
      "callgrind");
  CHECK(folded(p, 0) ==
        Folded{{"main", 20}, {"main;func1", 100}, {"main;func1;func2", 300}, {"main;func2", 400}});
  CHECK(bad("events: A\nfn=x\n1 2 3\n", "callgrind").find("line 3: 2 costs") != std::string::npos);
  CHECK(bad("events: A\nfn=x\n1 y\n", "callgrind").find("no number") != std::string::npos);
  CHECK(bad("events: A\n1 2\n", "callgrind").find("before any function") != std::string::npos);
  CHECK(bad("fn=x\n", "callgrind").find("events") != std::string::npos);
}

TEST_CASE("callgrind: recursion ends") {
  const Profile p = good("events: A\nfn=a\n1 10\ncfn=b\ncalls=1 1\n1 50\nfn=b\n1 20\ncfn=a\ncalls=1 1\n1 30\n",
                         "callgrind");
  CHECK(p.sample_count() > 0);
}

TEST_CASE("svg: our own picture gives its stacks back, flame and icicle") {
  const std::string text = "main;a<b>;c 5\nmain;a<b> 2\nmain;z 10\n";
  MemorySource source{as_bytes(text)};
  const Result<Profile> p = read_profile(source, "x.folded", nullptr, {});
  REQUIRE(p.has_value());
  for (const bool inverted : {false, true}) {
    WriteOptions options;
    options.inverted = inverted;
    StringSink sink;
    REQUIRE(write_flamegraph_svg(*p, sink, options).has_value());
    CHECK(folded(good(sink.text(), "svg"), 0) ==
          Folded{{"main;a<b>;c", 5}, {"main;a<b>", 2}, {"main;z", 10}});
  }
  CHECK(bad("<svg></svg>", "svg").find("no frames") != std::string::npos);
}

TEST_CASE("svg: flamegraph.pl's picture is read by its titles") {
  const Profile p = good(
      "<svg><!-- flamegraph --><g><title>all (1,007 samples, 100%)</title><rect x=\"10.0\" y=\"40\" width=\"100.7\"/></g>"
      "<g><title>f (1,000 samples, 99%)</title><rect x=\"10.0\" y=\"20\" width=\"100.0\"/></g></svg>",
      "svg");
  CHECK(folded(p, 0) == Folded{{"", 7}, {"f", 1000}});
}
