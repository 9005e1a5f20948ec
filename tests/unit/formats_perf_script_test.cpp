// SPDX-License-Identifier: Apache-2.0
// The cases P1 to P9 are those of users of other converters; their inputs are written anew here.
#include "formats/perf_script.h"
#include "formats/perf_script_line.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace hprof;
using namespace hprof::formats;

namespace {

Result<Profile> read(std::string_view text, ReadOptions options = {}, std::size_t chunk = 4096) {
  MemorySource source{as_bytes(text), chunk};
  return read_perf_script(source, options);
}

std::string path(const Profile& p, std::uint32_t row) {
  std::vector<LocationId> leaf_first;
  p.stack_leaf_first(p.sample_stack(row), leaf_first);
  std::string out;
  for (std::size_t i = leaf_first.size(); i > 0; --i) {
    for (std::size_t line = frame_count(p, leaf_first[i - 1]); line > 0; --line) {
      if (!out.empty()) out += ';';
      out += frame_name(p, leaf_first[i - 1], line - 1);
    }
  }
  return out;
}

std::string label(const Profile& p, std::uint32_t row, std::string_view key) {
  for (const Label& label : p.labels(p.sample_labels(row))) {
    if (p.string(label.key) != key) continue;
    return label.is_number ? std::to_string(label.number) : std::string{p.string(label.text)};
  }
  return "-";
}

std::vector<std::string> types(const Profile& p) {
  std::vector<std::string> out;
  for (const ValueType& type : p.sample_types()) {
    out.push_back(std::string{p.string(type.type)} + "/" + std::string{p.string(type.unit)});
  }
  return out;
}

using Names = std::vector<std::string>;

constexpr std::string_view kFrames =
    "\t    7f01 leaf+0x1 (/lib/libx.so)\n"
    "\t    4002 main+0x22 (/bin/app)\n\n";

}  // namespace

TEST_CASE("perf script: a plain sample has its frames, labels and no weight column") {
  const auto p = read("app 12/13 [001] 5.000001: cycles:\n" + std::string{kFrames});
  REQUIRE(p);
  CHECK(p->sample_count() == 1);
  CHECK(path(*p, 0) == "main;leaf");
  CHECK(label(*p, 0, "thread") == "app");
  CHECK(label(*p, 0, "pid") == "12");
  CHECK(label(*p, 0, "tid") == "13");
  CHECK(types(*p) == Names{"samples/count"});
}

TEST_CASE("perf script: a comm in brackets is whole (P1)") {
  const auto p = read("[ET_NET 0] 2345 [000] 1.000000: cycles:\n" + std::string{kFrames});
  REQUIRE(p);
  CHECK(p->total(0) == 1);
  CHECK(label(*p, 0, "thread") == "[ET_NET 0]");
  CHECK(label(*p, 0, "tid") == "2345");
}

TEST_CASE("perf script: comms with blanks, digits and slashes end before the ids (P2)") {
  const std::map<std::string, std::string> lines{
      {"java main 77 [002] 1.5: 1 cycles:", "java main"},
      {"Web Content 77/77 1.500000: 1 cycles:", "Web Content"},
      {"Chrome_ChildIOT 2 77 [001] 1.500000: 1 cycles:", "Chrome_ChildIOT 2"},
      {"a/b 1/2 77/78 [001] 1.500000: 1 cycles:", "a/b 1/2"},
      {"   padded 77 1.500000: 1 cycles:", "padded"},
      {"Gecko\t77 [007] 1.500000:\t\t1000000 task-clock:u:", "Gecko"}};
  for (const auto& [line, comm] : lines) {
    const auto p = read(line + "\n" + std::string{kFrames});
    REQUIRE(p);
    CHECK(label(*p, 0, "thread") == comm);
    const std::string tid = label(*p, 0, "tid");
    CHECK((tid == "77" || tid == "78"));
    CHECK(path(*p, 0) == "main;leaf");
  }
}

TEST_CASE("perf script: the module is the last balanced group, blanks and parentheses included (P3 P4)") {
  CHECK(parse_script_frame("  7f1 f (([JIT app cache]))")->module == "([JIT app cache])");
  CHECK(parse_script_frame("  7f1 f ([JIT app cache])")->module == "[JIT app cache]");
  CHECK(parse_script_frame("  7f1 f (/games/Proton 3.16/x.so)")->module == "/games/Proton 3.16/x.so");
  const auto deleted = parse_script_frame("  7f1 operator()(int) const+0x1a (/lib/x.so (deleted))");
  REQUIRE(deleted);
  CHECK(deleted->symbol == "operator()(int) const");
  CHECK(deleted->module == "/lib/x.so (deleted)");
  CHECK(parse_script_frame("  7f1 f (int) (/lib/x.so)")->symbol == "f (int)");
}

TEST_CASE("perf script: a header without cpu has its comm and id, not its time, as the thread (P5)") {
  const auto p = read("t 99076 10314749.002559:     250000 cpu-clock:uhH:\n" + std::string{kFrames} +
                      "t 99076 10314749.102559:     250000 cpu-clock:uhH:\n" + std::string{kFrames});
  REQUIRE(p);
  CHECK(p->sample_count() == 1);
  CHECK(label(*p, 0, "thread") == "t");
  CHECK(label(*p, 0, "pid") == "99076");
  CHECK(types(*p) == Names{"samples/count", "cpu-clock/nanoseconds"});
  CHECK(p->value(0, 0) == 2);
  CHECK(p->value(1, 0) == 500000);
  CHECK(p->header.duration_nanos == 100000000);
}

TEST_CASE("perf script: tracepoint names keep their colon and payloads are no frames (P6)") {
  const auto p = read("a 5 [0] 1.000000: syscalls:sys_enter_ioctl: fd: 0x5, cmd: 0x1 (x)\n" +
                      std::string{kFrames} + "a 5 [0] 2.000000: probe:f: (7f01) k=v g(h)\n" +
                      std::string{kFrames});
  REQUIRE(p);
  CHECK(types(*p) == Names{"syscalls:sys_enter_ioctl:samples/count", "probe:f:samples/count"});
  CHECK(path(*p, 0) == "main;leaf");
  CHECK(p->sample_count() == 1);
}

TEST_CASE("perf script: the last sample needs no blank line; one frame may share the line (P7)") {
  const auto p = read("a 5 1.000000: cycles:\n\t7f01 leaf (/x)\n\t4002 main (/y)");
  REQUIRE(p);
  CHECK(p->total(0) == 1);
  CHECK(path(*p, 0) == "main;leaf");
  const auto single = read(
      "  false 39 1.000000:  1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n"
      "  false 39 1.000001:  1 cycles:u:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld.so)\n");
  REQUIRE(single);
  CHECK(single->total(0) == 2);
  CHECK(path(*single, 1) == "_dl_start");
  const auto empty = read("");
  REQUIRE(!empty);
  CHECK(empty.error().kind == ErrorKind::malformed_input);
  CHECK(empty.error().message == "perf-script: the text is empty");
}

TEST_CASE("perf script: samples with different periods count once each and weigh their period (P8)") {
  const auto p = read("a 5 1.000000: 10 cycles:\n" + std::string{kFrames} +
                      "a 5 2.000000: 295730188910 cycles:\n" + std::string{kFrames});
  REQUIRE(p);
  CHECK(types(*p) == Names{"samples/count", "cycles/count"});
  CHECK(p->total(0) == 2);
  CHECK(p->total(1) == 295730188920);
  CHECK(p->default_sample_type_index() == 1);
}

TEST_CASE("perf script: events are sample types of their own, never summed (P9)") {
  const std::string text = "a 5 1.000000: 10 cycles:\n" + std::string{kFrames} +
                           "a 5 1.000000: 700 instructions:\n" + std::string{kFrames};
  Notes notes;
  const auto p = read(text, {.notes = &notes});
  REQUIRE(p);
  CHECK(types(*p) == Names{"cycles:samples/count", "cycles/count", "instructions:samples/count",
                           "instructions/count"});
  CHECK(p->sample_count() == 1);
  CHECK(p->value(1, 0) == 10);
  CHECK(p->value(3, 0) == 700);
  CHECK(p->default_sample_type_index() == 1);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("cycles, instructions") != std::string::npos);
  const auto one = read(text, {.event = "instructions"});
  REQUIRE(one);
  CHECK(types(*one) == Names{"samples/count", "instructions/count"});
  CHECK(one->total(1) == 700);
}

TEST_CASE("perf script: inlined frames join the frame they were inlined into") {
  const auto p = read("a 5 1.000000: cycles:\n\t7f01 inner (inlined)\n\t7f01 outer+0x1 (/x)\n\t1 main (/x)\n");
  REQUIRE(p);
  CHECK(path(*p, 0) == "main;outer;inner");
  std::vector<LocationId> stack;
  p->stack_leaf_first(p->sample_stack(0), stack);
  REQUIRE(stack.size() == 2);
  CHECK(p->lines(stack[0]).size() == 2);
}

TEST_CASE("perf script: arrows of Java agents are inlined frames, operator-> is a name") {
  const auto p = read("java 5 1.000000: cycles:\n\t7f01 LA;::f->LB;::g (/tmp/perf-5.map)\n"
                      "\t7f02 P::operator->() const (/x)\n");
  REQUIRE(p);
  CHECK(path(*p, 0) == "P::operator->() const;LA;::f;LB;::g");
}

TEST_CASE("perf script: unknown frames show module and offset, module, or unknown") {
  const auto p = read("a 5 1.000000: cycles:\n\t7f01 [unknown] (/lib/x.so+0x1f0)\n"
                      "\t7f02 [unknown] (/lib/y.so)\n\t7f03 [unknown] ([unknown])\n");
  REQUIRE(p);
  CHECK(path(*p, 0) == "[unknown];[y.so];[x.so+0x1f0]");
}

TEST_CASE("perf script: source lines below frames give file and line") {
  const auto p = read("a 5 1.000000: cycles:\n\t7f01 f+0x1 (/x)\n  dir/f.c:300\n\t7f02 g (/lib/l.so)\n"
                      "  l.so[27b25]\n");
  REQUIRE(p);
  std::vector<LocationId> stack;
  p->stack_leaf_first(p->sample_stack(0), stack);
  REQUIRE(stack.size() == 2);
  CHECK(p->lines(stack[0])[0].line == 300);
  CHECK(p->string(p->function(p->lines(stack[0])[0].function).filename) == "dir/f.c");
  CHECK(p->lines(stack[1])[0].line == 0);
  CHECK(p->counters.skipped == 0);
}

TEST_CASE("perf script: comms and symbols that look like something else are told apart") {
  const auto p = read("cafe 12 [000] 1.000000: 5 cycles:\n" + std::string{kFrames} +
                      "cafe 12 [000] 2.000000: 5 cycles: \ncafe 12 [000] 3.000000: 5 cycles:\n" +
                      std::string{kFrames});
  REQUIRE(p);
  CHECK(p->total(0) == 3);
  CHECK(label(*p, 0, "thread") == "cafe");
  // A frame may begin at the margin (an address of 16 digits fills its column).
  const auto wide = read("a 5 1.000000: cycles:\n\t7f01 f (/x)\nfffd8118e8240489 [unknown] ([unknown])\n\n");
  REQUIRE(wide);
  CHECK(path(*wide, 0) == "[unknown];f");
}

TEST_CASE("perf script: time bounds select samples; dates need a text with dates") {
  const std::string text = "a 5 100.000000: cycles:\n" + std::string{kFrames} +
                           "a 5 200.000000: cycles:\n" + std::string{kFrames} +
                           "a 5 300.000000: cycles:\n" + std::string{kFrames};
  const auto p = read(text, {.since_ns = 200'000'000'000, .until_ns = 300'000'000'000});
  REQUIRE(p);
  CHECK(p->total(0) == 1);
  const auto date = read(text, {.since_ns = 1'700'000'000'000'000'000});
  REQUIRE(!date);
  CHECK(date.error().kind == ErrorKind::usage);
}

TEST_CASE("perf script: header comments are kept and bad lines counted") {
  Notes notes;
  const auto p = read("# ========\n# captured on    : Tue Feb 21 03:35:44 2017\n# hostname : h\n# cpuid : x\n"
                      "# ========\n#\na 5 1.000000: cycles:\n\tGARBAGE\n\t7f01 f (/x)\n\nnonsense\n",
                      {.notes = &notes});
  REQUIRE(p);
  CHECK(p->header.comments.size() == 2);
  CHECK(p->counters.skipped == 2);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("2 lines were skipped, the first is line 8") != std::string::npos);
}

TEST_CASE("perf script: text without a sample is malformed and says where") {
  const auto p = read("\nhello\n");
  REQUIRE(!p);
  CHECK(p.error().kind == ErrorKind::malformed_input);
  CHECK(p.error().message.find("line 2") != std::string::npos);
}

TEST_CASE("perf script: any number of threads and any chunk size give the same profile") {
  std::string text;
  for (int i = 0; i < 40000; ++i) {
    text += "app" + std::to_string(i % 3) + " 7/" + std::to_string(i % 5) + " [000] " +
            std::to_string(i) + ".000000: " + std::to_string(1 + i % 7) +
            (i % 11 == 3 ? " instructions:\n" : " cycles:\n");
    text += "\t    7f0" + std::to_string(i % 9) + " leaf" + std::to_string(i % 13) + "+0x1 (/lib/x.so)\n";
    text += "\t    4002 main+0x22 (/bin/app)\n\n";
  }
  const auto shape = [](const Profile& p) {
    std::string all;
    for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
      all += path(p, row) + label(p, row, "thread") + label(p, row, "tid");
      for (std::size_t t = 0; t < p.sample_types().size(); ++t) all += " " + std::to_string(p.value(t, row));
      all += "\n";
    }
    return all;
  };
  const auto one = read(text, {.threads = 1});
  REQUIRE(one);
  CHECK(one->total(0) + one->total(2) == 40000);
  for (const unsigned threads : {2U, 3U}) {
    for (const std::size_t chunk : {999U, 1000000U}) {
      const auto p = read(text, {.threads = threads}, chunk);
      REQUIRE(p);
      CHECK((shape(*p) == shape(*one)));
    }
  }
}

TEST_CASE("perf script: CRLF text reads like LF text") {
  const auto p = read("a 5 1.000000: 3 cycles:\r\n\t7f01 f (/x)\r\n\r\na 5 2.000000: 4 cycles:\r\n\t7f01 f (/x)\r\n\r\n");
  REQUIRE(p);
  CHECK(p->total(0) == 2);
  CHECK(path(*p, 0) == "f");
}
