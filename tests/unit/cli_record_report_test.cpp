// SPDX-License-Identifier: Apache-2.0
#include "record_report.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;
using namespace hprof::cli;

namespace {

RecordingFacts good_facts() {
  RecordingFacts facts;
  facts.files = {"a.svg"};
  facts.engine = "per-cpu cpu-clock events";
  facts.stats.samples = 10000;
  facts.stats.duration_ns = 10'000'000'000;
  facts.stats.sampled_cpu_ns = 10'000'000'000;
  facts.stats.target_cpu_ns = 10'000'000'000;
  facts.stats.threads = 2;
  facts.stats.processes = 1;
  return facts;
}

bool any_has(const std::vector<std::string>& lines, std::string_view part) {
  return std::ranges::any_of(
      lines, [part](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a good recording passes every gate and says nothing of coverage") {
  const RecordingFacts facts = good_facts();
  CHECK(failed_gates(facts, true, 0.0).empty());
  CHECK_FALSE(any_has(summary_lines(facts), "cover"));
  CHECK(any_has(summary_lines(facts), "10,000 samples in 10.0 s from 2 threads of 1 process"));
  CHECK(any_has(summary_lines(facts), "wrote a.svg"));
  CHECK_FALSE(why_so_few(facts, 99, false));
}

TEST_CASE("lost samples fail --strict, and --max-lost beyond its limit") {
  RecordingFacts facts = good_facts();
  facts.stats.lost = 100;  // 0.99 %
  CHECK(failed_gates(facts, false, std::nullopt).empty());
  CHECK(failed_gates(facts, true, std::nullopt).size() == 1);
  CHECK(failed_gates(facts, false, 1.0).empty());
  CHECK(failed_gates(facts, false, 0.5).size() == 1);
}

TEST_CASE("truncated stacks and missing CPU time fail --strict") {
  RecordingFacts facts = good_facts();
  facts.stats.truncated = 600;
  facts.stats.sampled_cpu_ns = 8'000'000'000;
  CHECK(facts.covers_too_little());
  CHECK(failed_gates(facts, true, std::nullopt).size() == 2);
  CHECK(any_has(summary_lines(facts), "cover 80 % of the target's CPU time"));
}

TEST_CASE("a shortfall within the noise of few samples is not reported") {
  RecordingFacts facts = good_facts();
  facts.stats.samples = 100;  // 4 sigma are 40 %
  facts.stats.sampled_cpu_ns = 8'000'000'000;
  CHECK_FALSE(facts.covers_too_little());
}

TEST_CASE("few samples are explained") {
  RecordingFacts facts = good_facts();
  facts.stats.samples = 12;
  facts.stats.target_cpu_ns = 120'000'000;
  CHECK(why_so_few(facts, 99, false)->find("-k wall") != std::string::npos);
  facts.stats.target_cpu_ns = 9'000'000'000;
  CHECK(why_so_few(facts, 99, true)->find("--thread") != std::string::npos);
  CHECK(why_so_few(facts, 99, false)->find("longer") != std::string::npos);
}

TEST_CASE("the JSON summary has the promised fields, in the promised order") {
  const std::string json = summary_json(good_facts());
  std::size_t at = 0;
  for (const char* name :
       {"files", "samples", "lost", "throttled", "truncated", "duration_s", "cpu_seen_percent",
        "engine", "own_cpu_s", "own_peak_bytes", "held_ms", "modules", "warnings"}) {
    CAPTURE(name);
    const std::size_t found = json.find("\"" + std::string{name} + "\":", at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
}

TEST_CASE("the same facts are comments of the profile") {
  Profile profile;
  RecordingFacts facts = good_facts();
  facts.stats.lost = 3;
  facts.warnings = {"something odd"};
  add_comments(facts, profile);
  std::vector<std::string> comments;
  for (const StringId id : profile.header.comments) comments.emplace_back(profile.string(id));
  CHECK(any_has(comments, "samples: 10000"));
  CHECK(any_has(comments, "lost: 3"));
  CHECK(any_has(comments, "own_peak_bytes: 0"));
  CHECK(any_has(comments, "warning: something odd"));
}

TEST_CASE("coverage counts frames by module, weighted by samples") {
  Profile profile;
  profile.add_sample_type("samples", "count");
  Mapping mapping;
  mapping.filename = profile.intern("/usr/lib/libx.so");
  const MappingId lib = profile.add_mapping(mapping);
  const Line line{profile.intern_function("f"), 0, 0};
  const LocationId named = profile.intern_location(lib, 1, {&line, 1});
  const LocationId bare = profile.intern_location(lib, 2);
  const LocationId marker = profile.intern_location(0, 0, {&line, 1});
  const StackId outer = profile.intern_stack(profile.intern_stack(0, marker), named);
  const std::int64_t three = 3;
  const std::int64_t one = 1;
  profile.add_sample(profile.intern_stack(outer, bare), 0, {&three, 1});
  profile.add_sample(outer, 0, {&one, 1});
  const auto modules = module_coverage(profile);
  REQUIRE(modules.size() == 1);
  CHECK(modules[0].name == "libx.so");
  CHECK(modules[0].frames == 7);
  CHECK(modules[0].named == 4);
  CHECK(modules[0].leaves == 4);
}
