// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/dump_writer.h>

#include <fmt/format.h>

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace hprof {
namespace {

constexpr mode_t kFolderMode = 0750;
constexpr mode_t kFileMode = 0640;

bool exists(const std::string& path) {
  struct stat info = {};
  return ::lstat(path.c_str(), &info) == 0;
}

/// Temporary files of a writer that was killed have this form where the file system has no unnamed
/// files; see AtomicFile.
bool is_stale_temporary(const std::filesystem::path& path) {
  const std::string file = path.filename().native();
  std::string_view name = file;
  constexpr std::string_view kSuffix = ".tmp";
  constexpr std::size_t kRandom = 1 + 16;
  if (!name.starts_with('.') || !name.ends_with(kSuffix)) return false;
  name.remove_prefix(1);
  name.remove_suffix(kSuffix.size());
  return name.size() > kRandom && name[name.size() - kRandom] == '.' &&
         parse_dump_name(name.substr(0, name.size() - kRandom)).has_value();
}

void remove_stale_temporaries(const std::string& folder) {
  std::error_code problem;
  for (auto at = std::filesystem::directory_iterator{folder, problem};
       !problem && at != std::filesystem::directory_iterator{}; at.increment(problem)) {
    struct stat info = {};
    // Another hprof may be writing right now; after ten minutes it is not.
    if (is_stale_temporary(at->path()) && ::lstat(at->path().c_str(), &info) == 0 &&
        time(nullptr) - info.st_mtim.tv_sec > 600) {
      ::unlink(at->path().c_str());
    }
  }
}

}  // namespace

Result<void> DumpWriter::make_folder(const DumpConfig& config) const {
  const std::filesystem::path folder{config.folder};
  std::filesystem::path made;
  for (const std::filesystem::path& part : folder) {
    made /= part;
    if (made.empty() || ::mkdir(made.c_str(), kFolderMode) != 0) continue;
    if (config.owner &&
        ::chown(made.c_str(), config.owner->user, config.owner->group) != 0) {
      // It stays ours then; the files in it can be read all the same.
    }
  }
  struct stat info = {};
  if (::stat(config.folder.c_str(), &info) != 0) {
    return system_error(errno, fmt::format("{}: cannot make the folder", config.folder));
  }
  if (!S_ISDIR(info.st_mode)) return system_error(ENOTDIR, config.folder);
  return {};
}

Result<void> DumpWriter::prepare(const DumpConfig& config) {
  HPROF_TRY(make_folder(config));
  if (::access(config.folder.c_str(), W_OK | X_OK) != 0) {
    return system_error(errno, fmt::format("{}: cannot write in the folder", config.folder));
  }
  remove_stale_temporaries(config.folder);
  return {};
}

Result<std::string> DumpWriter::write_new(const DumpConfig& config, DumpName name,
                                          std::string_view bytes) {
  AtomicFileOptions options;
  options.mode = kFileMode;
  options.owner = config.owner;
  options.replace = false;
  constexpr unsigned kMost = 100000;
  for (; name.sequence < kMost; ++name.sequence) {
    const std::string path = fmt::format("{}/{}", config.folder, name.format());
    if (exists(path)) continue;
    HPROF_ASSIGN(AtomicFile file, AtomicFile::create(path, options));
    HPROF_TRY(file.write(bytes));
    const Result<void> done = file.commit();
    if (done) return path;
    // Another hprof took the name in between.
    if (!file.name_taken()) return done.error();
  }
  return Error{ErrorKind::failed,
               fmt::format("{}: no name is left for {}", config.folder, name.format()), {}};
}

bool DumpWriter::watch_floor(const DumpConfig& config) {
  const Result<FreeSpace> space = free_space(config.folder);
  const bool below = space && hprof::below_floor(*space, config.floor);
  if (below != below_floor_) {
    below_floor_ = below;
    log_line(log_, below ? LogLevel::warning : LogLevel::info,
             below ? fmt::format("{}: only {} MiB are free: each new window now takes the place of "
                                 "the oldest of its kind",
                                 config.folder, space->free >> 20)
                   : fmt::format("{}: enough space is free again", config.folder));
  }
  return below;
}

void DumpWriter::retain(const DumpConfig& config, const DumpKind& kind) {
  const bool below = watch_floor(config);
  DumpFilter filter;
  filter.kinds = {kind.kind};
  Result<std::vector<DumpFile>> files = find_dump_files(config.folder, filter);
  if (!files) return;
  for (const DumpFile& file :
       choose_expired(*std::move(files), kind.limits, clock_.wall_ns(), below ? 1 : 0)) {
    if (::unlink(file.path.c_str()) == 0) {
      ++files_removed_;
    } else if (errno != ENOENT) {
      log_line(log_, LogLevel::warning, system_error(errno, file.path).message);
    }
  }
}

Result<std::string> DumpWriter::write(const DumpConfig& config, const DumpKind& kind,
                                      DumpName name, std::string_view bytes) {
  Result<void> folder = make_folder(config);
  Result<std::string> path = folder ? write_new(config, std::move(name), bytes)
                                    : Result<std::string>{folder.error()};
  if (!path) {
    if (!failing_) {
      log_line(log_, LogLevel::error,
               fmt::format("{}; windows wait in memory and join the next", path.error().message));
    }
    failing_ = true;
    return path;
  }
  if (failing_) {
    log_line(log_, LogLevel::info, fmt::format("{}: can be written again", config.folder));
  }
  failing_ = false;
  ++files_written_;
  retain(config, kind);
  return path;
}

}  // namespace hprof
