// SPDX-License-Identifier: Apache-2.0
#include "stop_signals.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace hprof::cli {
namespace {

/// A signal adds 1 to the eventfd; one from the keyboard adds this besides.
constexpr std::uint64_t kFromKeyboard = std::uint64_t{1} << 32;

// The only way from a signal handler to an object: sigaction(2) passes no pointer of ours.
std::atomic<int> handler_fd{-1};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void on_signal(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const int saved = errno;
  // The terminal driver's signals come from the kernel, those of kill(2) from a user.
  const std::uint64_t add = 1 + (info->si_code == SI_KERNEL ? kFromKeyboard : 0);
  if (::write(handler_fd.load(), &add, sizeof add) < 0) {
    // Nothing can be done here; the counter cannot overflow before the 2^31st Ctrl-C.
  }
  errno = saved;
}

}  // namespace

Result<std::unique_ptr<StopSignals>> StopSignals::install() {
  UniqueFd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!event.valid()) return system_error(errno, "cannot watch for Ctrl-C");
  std::unique_ptr<StopSignals> signals{new StopSignals(std::move(event))};
  handler_fd = signals->event_.get();
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  // No SA_RESTART: a write to a full pipe must return, so that the third Ctrl-C is heard.
  action.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Saved saved{signal, {}};
    ::sigaction(signal, nullptr, &saved.action);
    // nohup(1) ignores SIGHUP for us. An ignored SIGINT is only a shell's habit with "&".
    if (signal == SIGHUP && saved.action.sa_handler == SIG_IGN) continue;
    ::sigaction(signal, &action, nullptr);
    signals->saved_.push_back(saved);
  }
  return signals;
}

StopSignals::~StopSignals() {
  for (const Saved& saved : saved_) ::sigaction(saved.signal, &saved.action, nullptr);
  handler_fd = -1;
}

void StopSignals::collect() {
  std::uint64_t got = 0;
  if (::read(event_.get(), &got, sizeof got) != sizeof got) return;
  count_ += got % kFromKeyboard;
  if (got >= kFromKeyboard) keyboard_ = true;
}

StopStage StopSignals::stage() {
  collect();
  constexpr std::uint64_t kLast = static_cast<std::uint64_t>(StopStage::abandon);
  return static_cast<StopStage>(std::min(count_.load(), kLast));
}

bool StopSignals::from_keyboard() {
  collect();
  return keyboard_;
}

}  // namespace hprof::cli
