// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit/jit_names.h"

#include "symbolize/jit/jitdump.h"
#include "symbolize/jit/perf_map.h"

#include <hprof/core/base/mapped_file.h>
#include <hprof/core/target/process_info.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hprof::symbolize {
namespace {

// The files are the target's; a process that has ended left them where we may see them too.
std::vector<std::string> roots(const ProcFs& proc, int pid) {
  return {proc.path(pid, "root"), std::string{}};
}

int inner_pid(const ProcFs& proc, int pid) {
  const auto info = read_process(proc, pid);
  return info && !info->ns_pids.empty() ? info->ns_pids.back() : pid;
}

std::vector<std::string> dumps_in_maps(const ProcFs& proc, int pid) {
  std::vector<std::string> out;
  const auto text = proc.read(pid, "maps");
  if (!text) return out;
  std::string_view rest = *text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t path = line.find('/');
    if (path == std::string_view::npos || !line.ends_with(".dump")) continue;
    line.remove_prefix(path);
    if (line.substr(line.rfind('/') + 1).starts_with("jit-")) out.emplace_back(line);
  }
  return out;
}

std::vector<std::string> dump_candidates(const ProcFs& proc, int pid, int inner) {
  std::vector<std::string> out;
  for (const std::string& path : dumps_in_maps(proc, pid)) {
    for (const std::string& root : roots(proc, pid)) out.push_back(root + path);
  }
  const std::string name = fmt::format("jit-{}.dump", inner);
  out.push_back(proc.path(pid, "cwd") + "/" + name);
  for (const std::string& root : roots(proc, pid)) out.push_back(root + "/tmp/" + name);
  return out;
}

}  // namespace

std::string name_jit_code(const std::string& proc_root, int pid,
                          std::span<const std::uint64_t> addresses, std::span<Frames> out) {
  const ProcFs proc{proc_root};
  const int inner = inner_pid(proc, pid);
  bool found = false;
  for (const std::string& root : roots(proc, pid)) {
    const auto map = MappedFile::open(fmt::format("{}/tmp/perf-{}.map", root, inner));
    if (!map) continue;
    name_by_perf_map(map->bytes(), addresses, out);
    found = true;
    break;
  }
  for (const std::string& path : dump_candidates(proc, pid, inner)) {
    const auto dump = MappedFile::open(path);
    if (!dump) continue;
    name_by_jitdump(dump->bytes(), addresses, out);
    found = true;
    break;
  }
  if (found) return "not in its perf map or jitdump";
  return fmt::format(
      "no /tmp/perf-{}.map (node --perf-basic-prof, python -X perf, java -XX:+DumpPerfMapAtExit)",
      inner);
}

}  // namespace hprof::symbolize
