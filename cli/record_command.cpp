// SPDX-License-Identifier: Apache-2.0
#include "record_command.h"

#include <fmt/format.h>

#include <poll.h>
#include <signal.h>

#include <chrono>
#include <thread>

namespace hprof::cli {
namespace {

using namespace std::chrono_literals;

/// Waits until the command has ended, but not after `enough()`.
template <typename Enough>
std::optional<int> wait_while(LaunchedCommand& command, Enough enough) {
  for (;;) {
    if (const auto status = command.try_wait()) return LaunchedCommand::shell_status(*status);
    if (enough()) return std::nullopt;
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace

Result<int> wait_for_command(LaunchedCommand& command, StopSignals& signals, Terminal& terminal,
                             int own) {
  constexpr int kInterrupted = 128 + SIGINT;
  if (!signals.at_least(StopStage::finish) && !command.try_wait()) {
    terminal.detail(fmt::format("waiting for the command, pid {}", command.pid()));
  }
  // A signal to the whole process group reaches the command at the same time as us; it gets a
  // moment to die of it.
  std::optional<std::chrono::steady_clock::time_point> until;
  const auto status = wait_while(command, [&] {
    if (!signals.at_least(StopStage::finish)) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!until) until = now + 200ms;
    return now >= *until;
  });
  if (signals.from_keyboard()) return kInterrupted;
  if (status) return *status != 0 ? *status : own;
  terminal.say(fmt::format("the command runs on, pid {}", command.pid()));
  return own;
}

}  // namespace hprof::cli
