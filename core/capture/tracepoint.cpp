// SPDX-License-Identifier: Apache-2.0
#include "tracepoint.h"

#include <hprof/core/target/proc_fs.h>

#include <fmt/format.h>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <charconv>
#include <thread>

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

namespace {

Result<Tracepoint> read_tracepoint(std::string_view root, std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string folder =
      fmt::format("{}/events/{}/{}", root, name.substr(0, colon), name.substr(colon + 1));
  HPROF_ASSIGN(const std::string id, read_text_file(folder + "/id", 64));
  HPROF_ASSIGN(std::string format, read_text_file(folder + "/format"));
  Tracepoint found{0, std::move(format)};
  std::from_chars(id.data(), id.data() + id.size(), found.id);
  return found;
}

/// Reads it from a tracefs that nobody else sees: mounted in a mount namespace of one short thread.
/// Many machines (containers, small images) have tracefs but have not mounted it. Needs root.
Result<Tracepoint> read_unmounted(std::string_view name) {
  constexpr const char* kPlace = "/sys/kernel/tracing";
  Result<Tracepoint> result = Error{ErrorKind::permission, "tracefs cannot be mounted", {}};
  std::thread{[&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tracefs", kPlace, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
      return;
    }
    result = read_tracepoint(kPlace, name);
  }}.join();
  return result;
}

}  // namespace

Result<Tracepoint> find_tracepoint(std::string_view name) {
  if (name.find(':') == std::string_view::npos || name.find('/') != std::string_view::npos ||
      name.find("..") != std::string_view::npos) {
    return Error{ErrorKind::usage, fmt::format("'{}' is not a tracepoint (system:name)", name), {}};
  }
  Result<Tracepoint> found = read_tracepoint("/sys/kernel/tracing", name);
  if (!found) found = read_tracepoint("/sys/kernel/debug/tracing", name);
  if (!found && ::access("/sys/kernel/tracing/events", F_OK) != 0) found = read_unmounted(name);
  if (found) return found;
  Error error = std::move(found).error();
  if (error.kind == ErrorKind::failed) {
    return Error{ErrorKind::usage, fmt::format("unknown tracepoint '{}'", name), {}};
  }
  error.hint = "tracepoints need tracefs: mount -t tracefs tracefs /sys/kernel/tracing (as root)";
  return error;
}

}  // namespace hprof
