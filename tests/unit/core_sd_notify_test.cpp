// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temp_folder.h"

#include <hprof/core/base/unique_fd.h>
#include <hprof/core/services/sd_notify.h>

#include <doctest/doctest.h>

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace hprof;
using namespace std::chrono_literals;

namespace {

/// A socket as systemd opens it; a name that begins with '@' is abstract.
UniqueFd listen_at(const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, name.data(), name.size());
  if (name[0] == '@') address.sun_path[0] = '\0';
  UniqueFd fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  REQUIRE(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address),
                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())) == 0);
  return fd;
}

std::string received(const UniqueFd& fd) {
  char text[256];
  const ssize_t got = ::recv(fd.get(), text, sizeof text, 0);
  return got < 0 ? "nothing" : std::string(text, static_cast<std::size_t>(got));
}

}  // namespace

TEST_CASE("lines reach a socket by path and by abstract name") {
  const test::TempFolder folder;
  for (const std::string& name : {folder.path("notify"), "@hprof-test-" + std::to_string(getpid())}) {
    CAPTURE(name);
    const UniqueFd systemd = listen_at(name);
    const SystemdNotifier notifier{name, "", ""};
    CHECK(notifier.active());
    notifier.send("READY=1\nSTATUS=here");
    CHECK(received(systemd) == "READY=1\nSTATUS=here");
    CHECK(received(systemd) == "nothing");
  }
}

TEST_CASE("without systemd, or with one that is gone, nothing happens") {
  SystemdNotifier{"", "", ""}.send("READY=1");
  SystemdNotifier{"/nowhere/notify", "", ""}.send("READY=1");
  CHECK_FALSE(SystemdNotifier{"relative", "", ""}.active());
  CHECK_FALSE(SystemdNotifier{std::string(200, '/'), "", ""}.active());
}

TEST_CASE("the watchdog wants a sign of life twice in its time, from the process it named") {
  const std::string me = std::to_string(getpid());
  CHECK(SystemdNotifier{"/x", "30000000", ""}.watchdog_period() == 15s);
  CHECK(SystemdNotifier{"/x", "30000000", me}.watchdog_period() == 15s);
  CHECK_FALSE(SystemdNotifier{"/x", "30000000", "1"}.watchdog_period());
  CHECK_FALSE(SystemdNotifier{"/x", "", me}.watchdog_period());
  CHECK_FALSE(SystemdNotifier{"/x", "0", me}.watchdog_period());
  CHECK_FALSE(SystemdNotifier{"/x", "soon", me}.watchdog_period());
  CHECK_FALSE(SystemdNotifier{"", "30000000", me}.watchdog_period());
}
