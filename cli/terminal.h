// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "load_options.h"

#include <string>
#include <string_view>

namespace hprof::cli {

/// How loud a command is.
enum class Loudness { quiet, normal, verbose };

/// What people read: stderr. On a terminal a progress line that is overwritten; elsewhere plain
/// lines, and only when something happened.
class Terminal {
 public:
  /// Looks at stderr, NO_COLOR and TERM. Source: https://no-color.org
  Terminal(const OutputOptions& options, const Environment& environment);
  /// For tests: writes to `fd`, which is taken for a terminal or not.
  Terminal(int fd, bool is_terminal, bool colors, Loudness loudness);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Replaces the progress line, cut to the width of the terminal; nothing elsewhere.
  void progress(std::string_view text);
  /// Takes the progress line away.
  void clear();
  /// One line for people, unless --quiet.
  void say(std::string_view line);
  /// One line with --verbose only.
  void detail(std::string_view line);
  /// "warning: …", even with --quiet.
  void warn(std::string_view line);

  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  [[nodiscard]] bool has_colors() const { return colors_; }
  [[nodiscard]] Loudness loudness() const { return loudness_; }
  /// `text` in bold where colours are allowed.
  [[nodiscard]] std::string bold(std::string_view text) const;

 private:
  void put(std::string_view text) const;

  int fd_ = 2;
  bool is_terminal_ = false;
  bool colors_ = false;
  Loudness loudness_ = Loudness::normal;
  bool has_progress_ = false;
};

}  // namespace hprof::cli
