// SPDX-License-Identifier: Apache-2.0
#include "dump_signals.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace hprof::cli {
namespace {

// Counts of the eventfd, far enough apart that none runs into the next.
constexpr std::uint64_t kWake = 1;
constexpr std::uint64_t kCut = std::uint64_t{1} << 20;
constexpr std::uint64_t kReload = std::uint64_t{1} << 36;
constexpr std::uint64_t kStop = std::uint64_t{1} << 50;

// The only way from a signal handler to an object: sigaction(2) passes no pointer of ours.
std::atomic<int> handler_fd{-1};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

std::atomic<int> stop_count{0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void add(int fd, std::uint64_t count) {
  if (::write(fd, &count, sizeof count) < 0) {
    // Full: whoever waits has more than enough to look at.
  }
}

void on_signal(int signal) {
  const int saved = errno;
  // Files have no name before they are whole, so nothing is left behind.
  if (signal != SIGHUP && signal != SIGUSR1 && ++stop_count > 2) ::_exit(1);
  add(handler_fd.load(), signal == SIGHUP ? kReload : signal == SIGUSR1 ? kCut : kStop);
  errno = saved;
}

}  // namespace

Result<std::unique_ptr<DumpSignals>> DumpSignals::install() {
  UniqueFd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!event.valid()) return system_error(errno, "cannot watch for signals");
  std::unique_ptr<DumpSignals> signals{new DumpSignals(std::move(event))};
  handler_fd = signals->event_.get();
  stop_count = 0;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    Saved saved{signal, {}};
    ::sigaction(signal, &action, &saved.action);
    signals->saved_.push_back(saved);
  }
  return signals;
}

DumpSignals::~DumpSignals() {
  for (const Saved& saved : saved_) ::sigaction(saved.signal, &saved.action, nullptr);
  handler_fd = -1;
}

DumpRequests DumpSignals::take() {
  std::uint64_t got = 0;
  if (::read(event_.get(), &got, sizeof got) != sizeof got) return {};
  DumpRequests requests;
  requests.stop = got >= kStop;
  requests.reload = got % kStop >= kReload;
  requests.cut = got % kReload >= kCut;
  return requests;
}

int DumpSignals::stops() { return stop_count; }

void DumpSignals::wake() const { add(event_.get(), kWake); }

}  // namespace hprof::cli
