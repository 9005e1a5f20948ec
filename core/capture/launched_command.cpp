// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/capture/launched_command.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace hprof {
namespace {

std::int64_t to_ns(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
}

/// What the child does: wait for one byte, then become the program. Only calls that are safe after
/// a fork of a program with threads.
[[noreturn]] void run_child(int go, int error, char* const* arguments) {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(go, &byte, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1) ::_exit(0);
  // Signals that hprof blocks or ignores for itself are none of the program's business.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1}) {
    ::signal(number, SIG_DFL);
  }
  ::execvp(arguments[0], arguments);
  const int reason = errno;
  // Nobody to tell if this fails: hprof has gone.
  const ssize_t written = ::write(error, &reason, sizeof(reason));
  ::_exit(written > 0 ? 127 : 126);
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    const int reason = errno;
    return system_error(reason, "cannot make a pipe");
  }
  return Pipe{UniqueFd{ends[0]}, UniqueFd{ends[1]}};
}

}  // namespace

Result<LaunchedCommand> LaunchedCommand::prepare(const std::vector<std::string>& command) {
  if (command.empty()) return Error{ErrorKind::usage, "no command is given", {}};
  HPROF_ASSIGN(Pipe go, make_pipe());
  HPROF_ASSIGN(Pipe error, make_pipe());
  std::vector<std::string> copy = command;
  std::vector<char*> arguments;
  for (std::string& argument : copy) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) {
    const int reason = errno;
    return system_error(reason, fmt::format("cannot run {}", command.front()));
  }
  if (pid == 0) {
    // Our end must not keep the pipe open, or the child would wait for itself.
    ::close(go.write.get());
    run_child(go.read.get(), error.write.get(), arguments.data());
  }
  return LaunchedCommand{pid, std::move(go.write), std::move(error.read), command.front()};
}

LaunchedCommand::LaunchedCommand(LaunchedCommand&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      go_(std::move(other.go_)),
      error_(std::move(other.error_)),
      name_(std::move(other.name_)),
      status_(std::exchange(other.status_, std::nullopt)),
      cpu_ns_(other.cpu_ns_) {}

LaunchedCommand& LaunchedCommand::operator=(LaunchedCommand&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(go_, other.go_);
  std::swap(error_, other.error_);
  std::swap(name_, other.name_);
  std::swap(status_, other.status_);
  std::swap(cpu_ns_, other.cpu_ns_);
  return *this;
}

LaunchedCommand::~LaunchedCommand() {
  if (pid_ <= 0 || status_ || !go_.valid()) return;
  go_.reset();
  int status = 0;
  ::waitpid(pid_, &status, 0);
}

Result<void> LaunchedCommand::release() {
  if (!go_.valid()) return {};
  const char byte = 1;
  const ssize_t written = ::write(go_.get(), &byte, 1);
  go_.reset();
  int reason = written == 1 ? 0 : EPIPE;
  // A successful exec closes the other end: the read ends with nothing.
  while (reason == 0) {
    const ssize_t got = ::read(error_.get(), &reason, sizeof(reason));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
  }
  error_.reset();
  if (reason == 0) return {};
  int status = 0;
  ::waitpid(pid_, &status, 0);
  status_ = status;
  Error error = system_error(reason, fmt::format("cannot run {}", name_));
  error.kind = ErrorKind::failed;
  return error;
}

std::optional<int> LaunchedCommand::try_wait() {
  if (status_ || pid_ <= 0) return status_;
  int status = 0;
  rusage usage{};
  if (::wait4(pid_, &status, WNOHANG, &usage) != pid_) return std::nullopt;
  status_ = status;
  cpu_ns_ = to_ns(usage.ru_utime) + to_ns(usage.ru_stime);
  return status_;
}

int LaunchedCommand::shell_status(int wait_status) {
  if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : 1;
}

}  // namespace hprof
