// SPDX-License-Identifier: Apache-2.0
#include "tracepoint.h"

#include <hprof/core/target/proc_fs.h>

#include <fmt/format.h>

#include <charconv>

namespace hprof {

// "\tfield:pid_t child_pid;\toffset:44;\tsize:4;\tsigned:1;"
std::optional<std::uint32_t> Tracepoint::offset_of(std::string_view field) const {
  constexpr std::string_view kOffset = "offset:";
  const std::string_view text = format;
  const std::string needle = fmt::format(" {};", field);
  const std::size_t at = text.find(needle);
  const std::size_t offset = at == std::string_view::npos ? at : text.find(kOffset, at);
  if (offset == std::string_view::npos) return std::nullopt;
  std::uint32_t value = 0;
  const char* const first = text.data() + offset + kOffset.size();
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  return error == std::errc{} ? std::optional{value} : std::nullopt;
}

Result<Tracepoint> find_tracepoint(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos || name.find('/') != std::string_view::npos ||
      name.find("..") != std::string_view::npos) {
    return Error{ErrorKind::usage, fmt::format("'{}' is not a tracepoint (system:name)", name), {}};
  }
  Error last{ErrorKind::failed, {}, {}};
  for (const std::string_view root : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    const std::string folder =
        fmt::format("{}/events/{}/{}", root, name.substr(0, colon), name.substr(colon + 1));
    const Result<std::string> id = read_text_file(folder + "/id", 64);
    Result<std::string> format = read_text_file(folder + "/format");
    if (!id || !format) {
      last = id ? format.error() : id.error();
      continue;
    }
    Tracepoint found{0, std::move(*format)};
    std::from_chars(id->data(), id->data() + id->size(), found.id);
    return found;
  }
  if (last.kind != ErrorKind::permission) last.kind = ErrorKind::usage;
  last.hint = "tracepoints need tracefs: mount -t tracefs tracefs /sys/kernel/tracing (as root)";
  return last;
}

}  // namespace hprof
