// SPDX-License-Identifier: Apache-2.0
#include "cli/time_point.h"

#include <doctest/doctest.h>

#include <stdlib.h>
#include <time.h>

using namespace hprof;       // NOLINT(google-build-using-namespace)
using namespace hprof::cli;  // NOLINT(google-build-using-namespace)

namespace {
constexpr std::int64_t kSecond = 1'000'000'000;
// 2026-11-30T12:00:00Z
constexpr std::int64_t kNow = 1796040000 * kSecond;

std::int64_t at(std::string_view text) {
  const Result<std::int64_t> t = parse_time_point(text, kNow);
  REQUIRE_MESSAGE(t.has_value(), text);
  return *t;
}
}  // namespace

TEST_CASE("moments are read in all their forms") {
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  CHECK(at("2026-11-30T12:00:00Z") == kNow);
  CHECK(at("2026-11-30t13:00:00.5+01:00") == kNow + kSecond / 2);
  CHECK(at("2026-11-30 07:00:00-05:00") == kNow);
  CHECK(at("2026-11-30T12:00:00") == kNow);
  CHECK(at("@1796040000") == kNow);
  CHECK(at("@1796040000.25") == kNow + kSecond / 4);
  CHECK(at("-10m") == kNow - 600 * kSecond);
  CHECK(at("11:00") == kNow - 3600 * kSecond);
  CHECK(at("11:00:30") == kNow - 3570 * kSecond);
  CHECK(at("13:00") == kNow - 23 * 3600 * kSecond);  // the latest that is past: yesterday's
}

TEST_CASE("what is no moment is refused") {
  for (const char* text : {"", "nonsense", "25:00", "11:60", "@", "@x", "-", "-x", "2026-13-01T00:00:00Z",
                           "2026-11-30", "2026-11-30T12:00:00+", "9999-01-01T00:00:00Z", "@99999999999999"}) {
    const Result<std::int64_t> t = parse_time_point(text, kNow);
    REQUIRE_FALSE_MESSAGE(t.has_value(), text);
    CHECK(t.error().kind == ErrorKind::usage);
  }
}
