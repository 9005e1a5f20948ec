// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace hprof {

enum class LogLevel { info, warning, error };

/// Where a service that runs for hours says things: one line at a time, lower case, no full stop,
/// no newline. Handed in; may be called from the service's own thread. May be empty.
using Log = std::function<void(LogLevel, std::string_view)>;

inline void log_line(const Log& log, LogLevel level, std::string_view line) {
  if (log) log(level, line);
}

}  // namespace hprof
