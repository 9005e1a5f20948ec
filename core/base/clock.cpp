// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/clock.h>

namespace hprof {

std::int64_t SystemClock::monotonic_ns() const {
  return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

std::int64_t SystemClock::wall_ns() const {
  return std::chrono::nanoseconds{std::chrono::system_clock::now().time_since_epoch()}.count();
}

}  // namespace hprof
