// SPDX-License-Identifier: Apache-2.0
#include "cgroup.h"

#include <hprof/core/target/proc_fs.h>
#include <hprof/core/target/selector.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <system_error>

namespace hprof {
namespace {

namespace fs = std::filesystem;

// Nesting of slices, services and containers; deeper is no layout anybody has.
constexpr int kMaxDepth = 16;

void add_pids_of_file(const std::string& path, std::set<int>& pids) {
  const Result<std::string> text = read_text_file(path);
  if (!text) return;
  const char* at = text->data();
  const char* const end = at + text->size();
  while (at < end) {
    int pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    if (error == std::errc{} && pid > 0) pids.insert(pid);
    at = std::find(next, end, '\n');
    if (at != end) ++at;
  }
}

/// Calls `visit` for `folder` and all folders below it; stops where `visit` returns false.
template <typename Visit>
void walk(const fs::path& folder, int depth, const Visit& visit) {
  if (!visit(folder) || depth == 0) return;
  std::error_code error;
  fs::directory_iterator at{folder, error};
  for (; !error && at != fs::directory_iterator{}; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) walk(at->path(), depth - 1, visit);
  }
}

/// Where a cgroup may be: the v2 root, "unified" of a mixed machine, and each v1 hierarchy.
std::vector<fs::path> hierarchies(const std::string& cgroup_root) {
  std::vector<fs::path> out{cgroup_root, fs::path{cgroup_root} / "unified",
                            fs::path{cgroup_root} / "systemd"};
  std::error_code error;
  fs::directory_iterator at{cgroup_root, error};
  for (; !error && at != fs::directory_iterator{}; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) out.push_back(at->path());
  }
  return out;
}

}  // namespace

Result<std::vector<int>> cgroup_pids(const std::string& cgroup_root, const std::string& path) {
  std::vector<fs::path> candidates;
  if (path.starts_with(cgroup_root + "/") || path == cgroup_root) candidates.emplace_back(path);
  const std::size_t first = std::min(path.find_first_not_of('/'), path.size());
  for (const fs::path& root : hierarchies(cgroup_root)) {
    candidates.push_back(root / path.substr(first));
  }
  for (const fs::path& folder : candidates) {
    std::error_code error;
    if (!fs::exists(folder / "cgroup.procs", error)) continue;
    std::set<int> pids;
    walk(folder, kMaxDepth, [&pids](const fs::path& below) {
      add_pids_of_file((below / "cgroup.procs").native(), pids);
      return true;
    });
    return std::vector<int>{pids.begin(), pids.end()};
  }
  return Error{ErrorKind::target_gone, fmt::format("no cgroup '{}' below {}", path, cgroup_root),
               {}};
}

std::optional<std::string> find_unit_cgroup(const std::string& cgroup_root,
                                            std::string_view unit) {
  std::string name{unit};
  if (name.find('.') == std::string::npos) name += ".service";
  std::optional<std::string> found;
  for (const fs::path& root : hierarchies(cgroup_root)) {
    walk(root, kMaxDepth, [&](const fs::path& folder) {
      if (!found && folder.filename() == name) found = folder.native();
      return !found;
    });
    if (found) break;
  }
  return found;
}

}  // namespace hprof
