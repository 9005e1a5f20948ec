// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hprof::formats {

/// The first line of a sample of `perf script`:
///   comm pid[/tid] [[cpu]] [flags] [time:] [period] event: [payload, or the only frame]
/// Lifetime: borrows the line.
struct ScriptHeader {
  std::string_view comm;
  std::optional<std::int64_t> pid;  ///< only where the text has both numbers
  std::int64_t tid = 0;
  std::optional<std::int64_t> time_ns;
  std::optional<std::int64_t> period;
  std::string_view event;  ///< without its last colon; may be empty
  std::string_view who;    ///< from the comm through the ids, as written
  std::string_view rest;   ///< behind the event
};

/// nullopt if `line` is none.
std::optional<ScriptHeader> parse_script_header(std::string_view line);

/// A frame line: address symbol[+0xoff] (dso[+0xoff])
struct ScriptFrame {
  std::uint64_t address = 0;
  std::string_view symbol;  ///< without offset; empty if there is none
  std::string_view module;  ///< without parentheses and offset; may be empty
  std::optional<std::uint64_t> module_offset;
  bool inlined = false;  ///< the frame was inlined into the one on the next line
};

/// nullopt if `line` is none.
std::optional<ScriptFrame> parse_script_frame(std::string_view line);

/// The line that `perf script -F +srcline` puts below a frame: "  file.c:123".
struct ScriptSource {
  std::string_view file;
  std::int64_t line = 0;  ///< 0: the text names only the module, "libc-2.33.so[27b25]"
};
std::optional<ScriptSource> parse_script_source(std::string_view line);

}  // namespace hprof::formats
