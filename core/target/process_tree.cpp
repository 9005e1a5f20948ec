// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/process_info.h>
#include <hprof/core/target/process_tree.h>

#include <set>
#include <unordered_map>

namespace hprof {

std::vector<int> with_descendants(const ProcFs& proc, std::span<const int> roots) {
  std::unordered_map<int, std::vector<int>> children;
  for (const int pid : proc.pids()) {
    ProcessInfo info;
    const Result<std::string> stat = proc.read(pid, "stat");
    if (stat && parse_stat(*stat, info)) children[info.parent].push_back(pid);
  }
  std::set<int> seen;
  std::vector<int> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const int pid = open.back();
    open.pop_back();
    if (!seen.insert(pid).second) continue;
    const auto found = children.find(pid);
    if (found != children.end()) {
      open.insert(open.end(), found->second.begin(), found->second.end());
    }
  }
  return {seen.begin(), seen.end()};
}

}  // namespace hprof
