// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <fmt/format.h>

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace hprof::cli {
namespace {

bool is_set(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found != environment.end() && !found->second.empty();
}

bool is_dumb(const Environment& environment) {
  const auto found = environment.find("TERM");
  return found != environment.end() && found->second == "dumb";
}

Loudness loudness_of(const OutputOptions& options) {
  if (options.quiet) return Loudness::quiet;
  return options.verbose ? Loudness::verbose : Loudness::normal;
}

std::size_t width_of(int fd) {
  winsize size = {};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Terminal::Terminal(const OutputOptions& options, const Environment& environment)
    : Terminal(STDERR_FILENO, ::isatty(STDERR_FILENO) == 1 && !is_dumb(environment),
               !options.no_color && !is_set(environment, "NO_COLOR"), loudness_of(options)) {}

Terminal::Terminal(int fd, bool is_terminal, bool colors, Loudness loudness)
    : fd_(fd), is_terminal_(is_terminal), colors_(is_terminal && colors), loudness_(loudness) {}

Terminal::~Terminal() {
  clear();
}

void Terminal::put(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t wrote = ::write(fd_, text.data(), text.size());
    if (wrote < 0 && errno != EINTR) return;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

void Terminal::progress(std::string_view text) {
  if (!is_terminal_ || loudness_ == Loudness::quiet) return;
  // The last column stays free: a full line would wrap and could not be taken back.
  put(fmt::format("\r{}\x1b[K", text.substr(0, width_of(fd_) - 1)));
  has_progress_ = true;
}

void Terminal::clear() {
  if (has_progress_) put("\r\x1b[K");
  has_progress_ = false;
}

void Terminal::say(std::string_view line) {
  if (loudness_ == Loudness::quiet) return;
  clear();
  put(fmt::format("{}\n", line));
}

void Terminal::detail(std::string_view line) {
  if (loudness_ == Loudness::verbose) say(line);
}

void Terminal::warn(std::string_view line) {
  clear();
  put(colors_ ? fmt::format("\x1b[33mwarning:\x1b[0m {}\n", line)
              : fmt::format("warning: {}\n", line));
}

std::string Terminal::bold(std::string_view text) const {
  return colors_ ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string{text};
}

}  // namespace hprof::cli
