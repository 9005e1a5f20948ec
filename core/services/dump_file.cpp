// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/kinds.h>
#include <hprof/core/services/dump_file.h>

#include <fmt/format.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <tuple>

namespace hprof {
namespace {

/// Takes what is before the next `mark` off the front; nothing where there is none.
std::optional<std::string_view> take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at + 1);
  return part;
}

template <typename T>
bool number(std::string_view text, T& out) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc{} && end == text.data() + text.size();
}

/// "4242" or "4242-2".
bool pid_and_sequence(std::string_view text, DumpName& out) {
  const std::size_t dash = text.find('-', 1);
  if (dash == std::string_view::npos) return number(text, out.pid);
  return number(text.substr(0, dash), out.pid) && number(text.substr(dash + 1), out.sequence);
}

struct CloseDir {
  void operator()(DIR* folder) const { closedir(folder); }
};

Result<std::vector<DumpFile>> list(const std::string& folder) {
  const std::unique_ptr<DIR, CloseDir> open{opendir(folder.c_str())};
  if (!open) return system_error(errno, folder);
  std::vector<DumpFile> files;
  errno = 0;
  // readdir() of a stream that is ours alone is safe.
  while (const dirent* entry = readdir(open.get())) {  // NOLINT(concurrency-mt-unsafe)
    std::optional<DumpName> name = parse_dump_name(entry->d_name);
    struct stat info = {};
    if (!name ||
        ::fstatat(dirfd(open.get()), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode)) {
      continue;
    }
    DumpFile file;
    file.path = fmt::format("{}/{}", folder, entry->d_name);
    file.name = *std::move(name);
    file.bytes = static_cast<std::uint64_t>(info.st_size);
    file.modified_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
    files.push_back(std::move(file));
    errno = 0;
  }
  if (errno != 0) return system_error(errno, folder);
  return files;
}

bool earlier(const DumpFile& a, const DumpFile& b) {
  return std::tie(a.name.start_s, a.name.pid, a.name.kind, a.name.sequence) <
         std::tie(b.name.start_s, b.name.pid, b.name.kind, b.name.sequence);
}

/// Fills end_ns of sorted files.
void find_ends(std::vector<DumpFile>& files) {
  std::map<std::pair<std::string_view, int>, std::int64_t> next_start;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const std::int64_t start = file->start_ns();
    std::int64_t& next = next_start.try_emplace({file->name.kind, file->name.pid}, 0).first->second;
    // A file that was copied may be older than its window: its time says nothing then.
    file->end_ns = file->modified_ns >= start ? file->modified_ns : start + 1'000'000'000;
    // Names have whole seconds: a window that begins at 7.9 s is named 7.
    if (next > start) file->end_ns = std::min(file->end_ns, next + 1'000'000'000);
    next = start;
  }
}

bool wanted(const DumpFile& file, const DumpFilter& filter) {
  if (!filter.kinds.empty() && std::ranges::find(filter.kinds, file.name.kind) == filter.kinds.end()) {
    return false;
  }
  if (filter.pid && file.name.pid != *filter.pid) return false;
  if (filter.since_ns && file.end_ns < *filter.since_ns) return false;
  return !filter.until_ns || file.start_ns() <= *filter.until_ns;
}

}  // namespace

std::string DumpName::format() const {
  return fmt::format("{}.{}.{}{}.{}", kind, start_s, pid,
                     sequence > 1 ? fmt::format("-{}", sequence) : "", text ? "txt" : "pb.gz");
}

std::optional<DumpName> parse_dump_name(std::string_view name) {
  DumpName out;
  std::string_view rest = name;
  const auto kind = take_until(rest, '.');
  const auto start = take_until(rest, '.');
  const auto pid = take_until(rest, '.');
  if (!kind || !start || !pid) return {};
  out.kind = *kind;
  out.text = rest == "txt";
  const Kind* known = find_kind(out.kind);
  if (known == nullptr || !number(*start, out.start_s) || !pid_and_sequence(*pid, out)) return {};
  // Leading zeros, signs, aliases, "-1": whatever we would write differently is not ours.
  if (out.start_s < 0 || out.pid < 0 || out.sequence == 0 || out.format() != name ||
      known->name != out.kind) {
    return {};
  }
  return out;
}

Result<std::vector<DumpFile>> find_dump_files(const std::string& folder, const DumpFilter& filter) {
  HPROF_ASSIGN(std::vector<DumpFile> files, list(folder));
  std::ranges::sort(files, earlier);
  find_ends(files);
  std::erase_if(files, [&filter](const DumpFile& file) { return !wanted(file, filter); });
  return files;
}

}  // namespace hprof
