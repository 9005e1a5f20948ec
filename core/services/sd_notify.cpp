// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/unique_fd.h>
#include <hprof/core/services/sd_notify.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>

namespace hprof {
namespace {

std::optional<long> number(std::string_view text) {
  long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::string variable(const char* name) {
  const char* value = ::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return value == nullptr ? "" : value;
}

}  // namespace

SystemdNotifier::SystemdNotifier(std::string socket, std::string_view watchdog_usec,
                                 std::string_view watchdog_pid)
    : socket_(std::move(socket)) {
  // A path or, with '@', an abstract name; anything else is not for us.
  const bool usable = socket_.size() > 1 && (socket_[0] == '/' || socket_[0] == '@') &&
                      socket_.size() < sizeof(sockaddr_un::sun_path);
  if (!usable) socket_.clear();
  const std::optional<long> usec = number(watchdog_usec);
  if (!usable || !usec || *usec <= 0) return;
  if (!watchdog_pid.empty() && number(watchdog_pid) != static_cast<long>(getpid())) return;
  period_ = std::chrono::microseconds{*usec} / 2;
}

SystemdNotifier SystemdNotifier::from_environment() {
  return {variable("NOTIFY_SOCKET"), variable("WATCHDOG_USEC"), variable("WATCHDOG_PID")};
}

void SystemdNotifier::send(std::string_view lines) const {
  if (socket_.empty()) return;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const UniqueFd out{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!out.valid()) return;
  // MSG_DONTWAIT: a systemd that hangs must not stop the sampling.
  const ssize_t sent = ::sendto(out.get(), lines.data(), lines.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                                reinterpret_cast<const sockaddr*>(&address), size);
  static_cast<void>(sent);
}

}  // namespace hprof
