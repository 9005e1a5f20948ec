// SPDX-License-Identifier: Apache-2.0
#include "units.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <utility>

using namespace hprof;
using namespace hprof::cli;
using namespace std::chrono_literals;

TEST_CASE("durations carry units and a bare number is seconds") {
  const std::initializer_list<std::pair<const char*, std::chrono::nanoseconds>> cases = {
      {"30s", 30s},    {"500ms", 500ms}, {"1h", 1h},       {"10m", 10min}, {"7d", 24h * 7},
      {"2w", 336h},    {"30", 30s},      {"0.5", 500ms},   {"0", 0s},      {"1h30m", 90min},
      {"1.5h", 90min}, {"1m 30s", 90s},  {"250us", 250us}, {"7ns", 7ns},   {"10 s", 10s}};
  for (const auto& [text, want] : cases) {
    CAPTURE(text);
    const auto got = parse_duration(text);
    REQUIRE(got);
    CHECK(*got == want);
  }
}

TEST_CASE("what is no duration is a usage error that quotes it") {
  for (const char* text :
       {"", "s", "-1s", "1x", "10S3", "1h30", "1e5s", "nan", "inf", "1..5s", "999999999w"}) {
    CAPTURE(text);
    const auto got = parse_duration(text);
    REQUIRE_FALSE(got);
    CHECK(got.error().kind == ErrorKind::usage);
    CHECK(got.error().message.find(std::string{"'"} + text + "'") != std::string::npos);
  }
}

TEST_CASE("sizes know binary and decimal units") {
  const std::initializer_list<std::pair<const char*, std::uint64_t>> cases = {
      {"0", 0},
      {"4096", 4096},
      {"512k", 512 << 10},
      {"512K", 512 << 10},
      {"1GiB", 1 << 30},
      {"1.5M", 1536 << 10},
      {"2kB", 2000},
      {"1MB", 1000000},
      {"64 KiB", 65536},
      {"10b", 10},
      {"1T", std::uint64_t{1} << 40}};
  for (const auto& [text, want] : cases) {
    CAPTURE(text);
    const auto got = parse_bytes(text);
    REQUIRE(got);
    CHECK(*got == want);
  }
  for (const char* text : {"", "k", "-1", "1q", "1k2", "99999999T", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_bytes(text));
  }
}

TEST_CASE("percentages, rates, counts and switches") {
  CHECK(*parse_percent("5") == 5);
  CHECK(*parse_percent("2.5%") == 2.5);
  CHECK(*parse_percent("1e-05") == 1e-5);
  CHECK_FALSE(parse_percent("-1"));
  CHECK_FALSE(parse_percent("5x"));
  CHECK(*parse_rate("99") == 99);
  CHECK(*parse_rate("999Hz") == 999);
  CHECK_FALSE(parse_rate("0"));
  CHECK_FALSE(parse_rate("9k"));
  CHECK(*parse_count("12") == 12);
  CHECK_FALSE(parse_count("12.5"));
  CHECK_FALSE(parse_count("-1"));
  CHECK_FALSE(parse_count("99999999999999999999"));
  CHECK(*parse_switch("Yes") == Switch::on);
  CHECK(*parse_switch("0") == Switch::off);
  CHECK_FALSE(parse_switch("maybe"));
}

TEST_CASE("what is shown reads back as the same value") {
  for (const std::chrono::nanoseconds value : std::initializer_list<std::chrono::nanoseconds>{
           0ns, 1ns, 1500ns, 30s, 90min, 168h, 3723004005006ns}) {
    CAPTURE(format_duration(value));
    CHECK(*parse_duration(format_duration(value)) == value);
  }
  for (const std::uint64_t value : {0ULL, 1ULL, 1023ULL, 16384ULL, 1ULL << 30, 1234567ULL}) {
    CAPTURE(format_bytes(value));
    CHECK(*parse_bytes(format_bytes(value)) == value);
  }
  CHECK(format_duration(5400s) == "1h30m");
  CHECK(human_bytes(13002342) == "12.4 MiB");
  CHECK(human_bytes(12) == "12 bytes");
  CHECK(human_count(1234567) == "1,234,567");
  CHECK(human_count(999) == "999");
}
