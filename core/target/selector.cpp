// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/selector.h>

#include "cgroup.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <thread>

namespace hprof {
namespace {

constexpr std::size_t kCommSize = 15;     // TASK_COMM_LEN - 1
constexpr std::size_t kListedMatches = 8;  // in the message about several matches

Result<int> parse_pid(std::string_view text) {
  int pid = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, pid);
  if (error != std::errc{} || end != stop || pid <= 0) {
    return Error{ErrorKind::usage, fmt::format("'{}' is not a process id", text), {}};
  }
  return pid;
}

Result<std::vector<int>> parse_pids(std::span<const std::string> lists) {
  std::vector<int> out;
  for (const std::string& list : lists) {
    std::string_view rest = list;
    while (true) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      HPROF_ASSIGN(const int pid, parse_pid(rest.substr(0, comma)));
      out.push_back(pid);
      if (comma == rest.size()) break;
      rest.remove_prefix(comma + 1);
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool has_name(const ProcessInfo& info, std::string_view name) {
  if (info.comm == name || info.name() == name) return true;
  // Where exe is not readable, the kernel's short name is all there is to compare.
  return info.exe.empty() && name.size() > kCommSize && info.comm == name.substr(0, kCommSize);
}

std::vector<ProcessInfo> find_by_name(const ProcFs& proc, std::string_view name) {
  std::vector<ProcessInfo> out;
  for (const int pid : proc.pids()) {
    if (pid == ::getpid()) continue;
    Result<ProcessInfo> info = read_process(proc, pid);
    if (info && !info->zombie() && has_name(*info, name)) out.push_back(std::move(*info));
  }
  return out;
}

Error several_matches(std::string_view name, std::span<const ProcessInfo> matches) {
  std::string list;
  for (const ProcessInfo& match : matches.first(std::min(matches.size(), kListedMatches))) {
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", match.pid, match.name());
  }
  if (matches.size() > kListedMatches) list += ", ...";
  return {ErrorKind::usage,
          fmt::format("{} processes are named '{}': {}", matches.size(), name, list),
          "pick one with -p PID, or take them all with --all-matches"};
}

Result<std::vector<ProcessInfo>> select_by_name(const ProcFs& proc, const TargetSpec& spec) {
  std::vector<ProcessInfo> matches = find_by_name(proc, spec.name);
  if (matches.empty()) {
    return Error{ErrorKind::target_gone, fmt::format("no process is named '{}'", spec.name), {}};
  }
  if (matches.size() > 1 && !spec.all_matches) return several_matches(spec.name, matches);
  return matches;
}

/// Those of a group of processes that are there now; an empty group is target_gone.
Result<std::vector<ProcessInfo>> select_members(const ProcFs& proc, std::span<const int> pids,
                                                std::string_view what) {
  std::vector<ProcessInfo> out;
  for (const int pid : pids) {
    if (pid == ::getpid()) continue;
    Result<ProcessInfo> info = read_process(proc, pid);
    if (info && !info->zombie()) out.push_back(std::move(*info));
  }
  if (out.empty()) {
    return Error{ErrorKind::target_gone, fmt::format("{} has no running process", what), {}};
  }
  return out;
}

Result<std::vector<ProcessInfo>> select_by_pids(const ProcFs& proc, std::span<const int> pids) {
  std::vector<ProcessInfo> out;
  for (const int pid : pids) {
    HPROF_ASSIGN(ProcessInfo info, read_target(proc, pid));
    out.push_back(std::move(info));
  }
  return out;
}

Result<std::vector<ProcessInfo>> select_by_pidfile(const ProcFs& proc, const std::string& path) {
  Result<std::string> text = read_text_file(path, 4096);
  if (!text) {
    // A service that is not up has no pidfile: --wait must wait for it.
    Error error = std::move(text).error();
    if (error.kind == ErrorKind::failed) error.kind = ErrorKind::target_gone;
    return error;
  }
  const std::size_t end = std::min(text->find_first_of(" \t\r\n"), text->size());
  Result<int> pid = parse_pid(std::string_view{*text}.substr(0, end));
  if (!pid) return pid.error().within(path);
  return select_by_pids(proc, std::vector{*pid});
}

}  // namespace

Result<std::vector<ProcessInfo>> select_targets(const SelectorRoots& roots,
                                                const TargetSpec& spec) {
  const int ways = (spec.pids.empty() ? 0 : 1) + (spec.name.empty() ? 0 : 1) +
                   (spec.cgroup.empty() ? 0 : 1) + (spec.unit.empty() ? 0 : 1) +
                   (spec.pidfile.empty() ? 0 : 1);
  if (ways != 1) {
    return Error{ErrorKind::usage,
                 ways == 0 ? "no target is given" : "more than one kind of target is given",
                 "give one of: PID, -n NAME, --cgroup PATH, --unit NAME, --pidfile FILE, -- COMMAND"};
  }
  if (!spec.pids.empty()) {
    HPROF_ASSIGN(const std::vector<int> pids, parse_pids(spec.pids));
    return select_by_pids(roots.proc, pids);
  }
  if (!spec.name.empty()) return select_by_name(roots.proc, spec);
  if (!spec.pidfile.empty()) return select_by_pidfile(roots.proc, spec.pidfile);
  std::string cgroup = spec.cgroup;
  std::string what = fmt::format("cgroup '{}'", spec.cgroup);
  if (!spec.unit.empty()) {
    what = fmt::format("unit '{}'", spec.unit);
    cgroup = find_unit_cgroup(roots.cgroup_root, spec.unit).value_or("");
    if (cgroup.empty()) {
      return Error{ErrorKind::target_gone, fmt::format("{} has no running process", what), {}};
    }
  }
  HPROF_ASSIGN(const std::vector<int> pids, cgroup_pids(roots.cgroup_root, cgroup));
  return select_members(roots.proc, pids, what);
}

Result<std::vector<ProcessInfo>> wait_for_targets(const SelectorRoots& roots,
                                                  const TargetSpec& spec,
                                                  std::chrono::nanoseconds patience,
                                                  const std::function<bool()>& cancelled) {
  using std::chrono::steady_clock;
  using std::chrono::milliseconds;
  constexpr milliseconds kFirstPause{20};
  constexpr milliseconds kPause{200};
  const steady_clock::time_point begin = steady_clock::now();
  while (true) {
    Result<std::vector<ProcessInfo>> found = select_targets(roots, spec);
    if (found || found.error().kind != ErrorKind::target_gone) return found;
    const auto waited = steady_clock::now() - begin;
    if ((patience.count() > 0 && waited >= patience) || (cancelled && cancelled())) return found;
    // Short looks first: what starts right after us should lose little of its beginning.
    std::this_thread::sleep_for(waited < std::chrono::seconds{2} ? kFirstPause : kPause);
  }
}

}  // namespace hprof
