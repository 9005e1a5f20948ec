// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace hprof {

/// When windows end: at start + n * interval of the monotonic clock, so that late cuts do not add
/// up and a stepped wall clock does not matter.
class CutSchedule {
 public:
  /// Units: ns of the monotonic clock. An interval of 0 is never due.
  CutSchedule(std::int64_t start_ns, std::chrono::nanoseconds interval)
      : start_ns_(start_ns), interval_ns_(interval.count()), next_ns_(start_ns + interval_ns_) {}

  [[nodiscard]] std::optional<std::int64_t> next_ns() const {
    return interval_ns_ > 0 ? std::optional{next_ns_} : std::nullopt;
  }
  [[nodiscard]] bool due(std::int64_t now_ns) const {
    return interval_ns_ > 0 && now_ns >= next_ns_;
  }
  /// Moves on to the first moment after `now_ns`; moments that were slept through are left out.
  void advance(std::int64_t now_ns) {
    if (interval_ns_ <= 0 || now_ns < next_ns_) return;
    const std::int64_t passed = (now_ns - start_ns_) / interval_ns_;
    next_ns_ = start_ns_ + (passed + 1) * interval_ns_;
  }
  [[nodiscard]] std::chrono::nanoseconds interval() const {
    return std::chrono::nanoseconds{interval_ns_};
  }

 private:
  std::int64_t start_ns_;
  std::int64_t interval_ns_;
  std::int64_t next_ns_;
};

}  // namespace hprof
