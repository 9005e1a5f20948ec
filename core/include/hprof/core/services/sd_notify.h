// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hprof {

/// Tells systemd how a service is. Without systemd every call does nothing.
/// Source: sd_notify(3), sd_watchdog_enabled(3); the protocol is a datagram of KEY=VALUE lines.
class SystemdNotifier {
 public:
  /// Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID as they were handed to this process;
  /// empty strings where they are not set.
  SystemdNotifier(std::string socket, std::string_view watchdog_usec, std::string_view watchdog_pid);
  /// From the process environment.
  static SystemdNotifier from_environment();

  /// Sends lines such as "READY=1\nSTATUS=...". A systemd that does not listen is no error.
  void send(std::string_view lines) const;
  [[nodiscard]] bool active() const { return !socket_.empty(); }
  /// How often "WATCHDOG=1" is due: half of what systemd tolerates. Empty if it does not watch us.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> watchdog_period() const { return period_; }

 private:
  std::string socket_;
  std::optional<std::chrono::nanoseconds> period_;
};

}  // namespace hprof
