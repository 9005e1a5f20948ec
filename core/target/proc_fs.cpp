// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/unique_fd.h>
#include <hprof/core/target/proc_fs.h>

#include <fmt/format.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

namespace hprof {
namespace {

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

/// Entries of a folder whose names are positive numbers, ascending.
std::vector<int> numbered_entries(const std::string& path) {
  std::vector<int> out;
  const std::unique_ptr<DIR, CloseDir> dir{::opendir(path.c_str())};
  if (dir == nullptr) return out;
  // A DIR of our own is used by this thread only, so readdir(3) is safe.
  while (const dirent* entry = ::readdir(dir.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc{} && end == name.data() + name.size() && number > 0) {
      out.push_back(number);
    }
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!fd.valid()) {
    const int reason = errno;
    return system_error(reason, fmt::format("cannot read {}", path));
  }
  std::string out;
  while (out.size() < limit) {
    const std::size_t have = out.size();
    // The kernel's files have no size to ask for; maps of a big process pass a megabyte.
    const std::size_t want = std::min(limit - have, std::max<std::size_t>(4096, have));
    out.resize(have + want);
    const ssize_t got = ::read(fd.get(), out.data() + have, want);
    if (got < 0 && errno == EINTR) {
      out.resize(have);
      continue;
    }
    if (got < 0) {
      const int reason = errno;
      return system_error(reason, fmt::format("cannot read {}", path));
    }
    out.resize(have + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return out;
}

std::string ProcFs::path(int pid, std::string_view name) const {
  if (name.empty()) return fmt::format("{}/{}", root_, pid);
  return fmt::format("{}/{}/{}", root_, pid, name);
}

Result<std::string> ProcFs::read(std::string_view name, std::size_t limit) const {
  return read_text_file(fmt::format("{}/{}", root_, name), limit);
}

Result<std::string> ProcFs::read(int pid, std::string_view name) const {
  Result<std::string> text = read_text_file(path(pid, name));
  // A process that ended is ENOENT before the open and ESRCH after it.
  if (!text && ::access(path(pid).c_str(), F_OK) != 0) {
    return Error{ErrorKind::target_gone, fmt::format("process {}: no such process", pid), {}};
  }
  return text;
}

Result<std::string> ProcFs::read_link(int pid, std::string_view name) const {
  std::array<char, PATH_MAX> buffer{};
  const std::string from = path(pid, name);
  const ssize_t size = ::readlink(from.c_str(), buffer.data(), buffer.size());
  if (size < 0) {
    const int reason = errno;
    return system_error(reason, fmt::format("cannot read {}", from));
  }
  return std::string{buffer.data(), static_cast<std::size_t>(size)};
}

std::vector<int> ProcFs::pids() const { return numbered_entries(root_); }

std::vector<int> ProcFs::tids(int pid) const { return numbered_entries(path(pid, "task")); }

}  // namespace hprof
