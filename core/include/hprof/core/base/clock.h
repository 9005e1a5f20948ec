// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace hprof {

/// Time as services see it; handed in, so that tests can turn it by hand.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since boot-ish, never stepping back (CLOCK_MONOTONIC).
  [[nodiscard]] virtual std::int64_t monotonic_ns() const = 0;
  /// Nanoseconds since 1970 UTC (CLOCK_REALTIME); may be stepped by an administrator.
  [[nodiscard]] virtual std::int64_t wall_ns() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t monotonic_ns() const override;
  [[nodiscard]] std::int64_t wall_ns() const override;
};

}  // namespace hprof
