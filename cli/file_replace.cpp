// SPDX-License-Identifier: Apache-2.0
#include "file_replace.h"

#include <hprof/core/base/atomic_file.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>

namespace hprof::cli {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

std::string resolved(const std::string& path) {
  std::error_code problem;
  const auto real = std::filesystem::canonical(path, problem);
  return problem ? path : real.native();
}

/// Options that make a new file look like the one at `path`.
Result<AtomicFileOptions> like(const std::string& path) {
  struct stat there = {};
  if (::stat(path.c_str(), &there) != 0) return system_error(errno, path);
  AtomicFileOptions options;
  options.mode = there.st_mode & 07777;
  options.exact_mode = true;
  options.owner = FileOwner{there.st_uid, there.st_gid};
  return options;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  const UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.valid()) return system_error(errno, path);
  FdSource source{file.get()};
  const Result<std::vector<std::byte>> bytes = read_all(source, kMostBytes);
  if (!bytes) return bytes.error().within(path);
  return std::string{as_text(*bytes)};
}

Result<std::string> back_up_file(const std::string& path) {
  const std::string real = resolved(path);
  HPROF_ASSIGN(const std::string text, read_text_file(real));
  HPROF_ASSIGN(AtomicFileOptions options, like(real));
  options.replace = false;
  for (unsigned attempt = 1; attempt < 10000; ++attempt) {
    const std::string name =
        attempt == 1 ? real + ".backup" : fmt::format("{}.backup-{}", real, attempt);
    // A dangling link of that name would be followed; it is taken, too.
    std::error_code ignored;
    if (std::filesystem::symlink_status(name, ignored).type() !=
        std::filesystem::file_type::not_found) {
      continue;
    }
    HPROF_ASSIGN(AtomicFile file, AtomicFile::create(name, options));
    HPROF_TRY(file.write(text));
    const Result<void> done = file.commit();
    if (done) return name;
    if (!file.name_taken()) return done.error();
  }
  return Error{ErrorKind::failed, fmt::format("{}: too many backups", real), {}};
}

Result<void> replace_text_file(const std::string& path, std::string_view text) {
  HPROF_ASSIGN(const AtomicFileOptions options, like(path));
  HPROF_ASSIGN(AtomicFile file, AtomicFile::create(path, options));
  HPROF_TRY(file.write(text));
  return file.commit();
}

Result<void> create_text_file(const std::string& path, std::string_view text, bool force) {
  AtomicFileOptions options;
  options.replace = force;
  HPROF_ASSIGN(AtomicFile file, AtomicFile::create(path, options));
  HPROF_TRY(file.write(text));
  const Result<void> done = file.commit();
  if (done || !file.name_taken()) return done;
  return Error{ErrorKind::failed, fmt::format("{}: exists", path), "--force overwrites it"};
}

}  // namespace hprof::cli
