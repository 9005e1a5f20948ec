// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/clock.h>

namespace hprof::test {

/// Time that passes when a test says so; the wall clock can be stepped by itself.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t monotonic_ns() const override { return monotonic; }
  [[nodiscard]] std::int64_t wall_ns() const override { return wall; }
  void pass(std::chrono::nanoseconds time) {
    monotonic += time.count();
    wall += time.count();
  }
  void step_wall(std::chrono::nanoseconds by) { wall += by.count(); }

  std::int64_t monotonic = 5'000'000'000;
  std::int64_t wall = 1'700'000'000'000'000'000;
};

}  // namespace hprof::test
