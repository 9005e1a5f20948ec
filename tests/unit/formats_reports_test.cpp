// SPDX-License-Identifier: Apache-2.0
#include "formats/reports.h"

#include "formats/units.h"
#include "tests/support/golden.h"
#include "tests/support/profile_builder.h"

#include <doctest/doctest.h>

#include <filesystem>

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

// A report of google/pprof over the same profile; empty where the shared corpus is absent.
std::string reference_report(std::string_view name) {
  return read_text(std::filesystem::path{HPROF_SHARED} / "corpus/google-pprof/driver-expected-reports" /
                   name);
}

std::string without_header(const std::string& report) {
  const std::size_t at = report.find("Showing nodes");
  return at == std::string::npos ? report : report.substr(at);
}

}  // namespace

TEST_CASE("top equals google/pprof's report of the same profile") {
  const std::string expected = reference_report("pprof.cpu.flat.functions.text");
  if (expected.empty()) {
    MESSAGE("skipped: ../shared/corpus is absent");
    return;
  }
  CHECK(without_header(text_of(write_top, inlined_profile(), {.sample_type = 1})) == expected);
}

TEST_CASE("traces equal google/pprof's report of the same profile") {
  const std::string expected = reference_report("pprof.cpu.traces");
  if (expected.empty()) {
    MESSAGE("skipped: ../shared/corpus is absent");
    return;
  }
  CHECK(text_of(write_traces, inlined_profile(), {.sample_type = 1}) == expected);
}

TEST_CASE("text reports of a small profile") {
  const Profile p = inlined_profile();
  check_golden("reports/inlined.top.txt", text_of(write_top, p, {.sample_type = 1}));
  check_golden("reports/inlined.tree.txt", text_of(write_tree, p, {.sample_type = 1}));
  check_golden("reports/inlined.peek.txt", text_of(write_peek, p, {.sample_type = 1}));
  check_golden("reports/inlined.raw.txt", text_of(write_raw, p));
}

TEST_CASE("top: a recursive function counts each sample once") {
  const std::string top = text_of(write_top, profile_of({{"main;f;f;g;f", 3}, {"main;f", 1}}));
  CHECK(top.find("         4   100%   100%          4   100%  f\n") != std::string::npos);
  CHECK(top.find("         0     0%   100%          3 75.00%  g\n") != std::string::npos);
}

TEST_CASE("tree: a call that recurs in a stack counts each sample once, a self call is no call") {
  const std::string tree = text_of(write_tree, profile_of({{"f;g;f;g;g", 5}}));
  CHECK(tree.find("         5   100%   100%          5   100%                | g\n") !=
        std::string::npos);
  CHECK(tree.find("                                                 5   100% |   f\n") !=
        std::string::npos);
}

TEST_CASE("top: only the asked number of rows, and how many there are") {
  const std::string top =
      text_of(write_top, profile_of({{"a", 1}, {"b", 2}, {"c", 3}}), {.top_count = 2});
  CHECK(top.find("Showing nodes accounting for 5, 83.33% of 6 total\n"
                 "Showing top 2 nodes out of 3\n") != std::string::npos);
  CHECK(top.find("  a\n") == std::string::npos);
}

TEST_CASE("top of a difference is signed and in percent of the base") {
  Profile p = profile_of({{"a", 12}, {"b", 4}});
  const LabelSetId base = p.intern_labels(std::array{p.text_label("pprof::base", "true")});
  add_stack(p, "a", {-5}, base);
  add_stack(p, "b", {-15}, base);
  const std::string top = text_of(write_top, p, {.negative = true});
  CHECK(top.find("       -11 55.00% 55.00%        -11 55.00%  b\n") != std::string::npos);
  CHECK(top.find("         7 35.00% 20.00%          7 35.00%  a\n") != std::string::npos);
}

TEST_CASE("top of a profile without samples or sample types is a header") {
  CHECK(text_of(write_top, Profile{}) ==
        "Showing nodes accounting for 0, 0% of 0 total\n"
        "      flat  flat%   sum%        cum   cum%\n");
}

TEST_CASE("values are shown in the units google/pprof chooses") {
  CHECK(scaled_label(1100, "milliseconds") == "1.10s");
  CHECK(scaled_label(1536, "bytes") == "1.50kB");
  CHECK(scaled_label(-512, "bytes") == "-512B");
  CHECK(scaled_label(7'200'000'000'000, "ns") == "2hrs");
  CHECK(scaled_label(12, "count") == "12");
  CHECK(scaled_label(12, "cycles") == "12");
  CHECK(scaled_label(12, "cycles", "cycles") == "12cycles");
  CHECK(scaled_label(2, "\u03bcs") == "2us");
  CHECK(percentage(1, 3) == "33.33%");
  CHECK(percentage(9996, 10000) == "  100%");
  CHECK(percentage(1, 1000) == "  0.1%");
  CHECK(percentage(1, 0) == "    0%");
  CHECK(report_unit(10'000'000, 1'120'000'000, "nanoseconds") == "s");
  CHECK(report_unit(1000, 2000, "bytes") == "B");
  CHECK(value_text(-1234567, "samples", "count") == "-1,234,567 samples");
  CHECK(grouped_digits(-999) == "-999");
}
