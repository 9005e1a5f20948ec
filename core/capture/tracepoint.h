// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hprof {

/// A kernel tracepoint as tracefs describes it.
struct Tracepoint {
  std::uint64_t id = 0;
  std::string format;  ///< the text of its format file

  /// Where a field starts in the record, in bytes.
  [[nodiscard]] std::optional<std::uint32_t> offset_of(std::string_view field) const;
};

/// Looks in /sys/kernel/tracing, then /sys/kernel/debug/tracing. `name` is "sched:sched_switch".
/// Errors: usage if there is no such tracepoint, permission if tracefs may not be read.
Result<Tracepoint> find_tracepoint(std::string_view name);

}  // namespace hprof
