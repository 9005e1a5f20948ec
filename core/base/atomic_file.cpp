// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/atomic_file.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A hidden name beside `path` that nobody else has picked.
std::string temporary_name(const std::string& path) {
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) {
    random = static_cast<std::uint64_t>(getpid());
  }
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  // 200: room below NAME_MAX for the rest of the name.
  return fmt::format("{}.{}.{:016x}.tmp", path.substr(0, name), path.substr(name, 200), random);
}

/// The umask; there is no way to ask for it without setting it, and other threads may be creating
/// files, so it is read from the kernel's status page.
mode_t current_umask() {
  UniqueFd status{::open("/proc/self/status", O_RDONLY | O_CLOEXEC)};
  char text[4096];
  const ssize_t got = status.valid() ? ::read(status.get(), text, sizeof text - 1) : -1;
  if (got > 0) {
    text[got] = '\0';
    if (const char* line = strstr(text, "\nUmask:"); line != nullptr) {
      return static_cast<mode_t>(strtoul(line + 7, nullptr, 8));
    }
  }
  return 022;
}

}  // namespace

Error AtomicFile::failed(int errno_value, std::string_view what) const {
  return system_error(errno_value, fmt::format("{}: {}", path_, what));
}

Result<AtomicFile> AtomicFile::create(const std::string& path, const AtomicFileOptions& options) {
  AtomicFile file;
  file.path_ = path;
  file.final_ = path;
  file.replace_ = options.replace;
  HPROF_TRY(file.open(options));
  return file;
}

Result<void> AtomicFile::open(const AtomicFileOptions& options) {
  struct stat there = {};
  if (!path_.empty() && ::stat(path_.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) return failed(EISDIR, "cannot write");
    if (!S_ISREG(there.st_mode)) {
      // Renaming over /dev/null or a pipe would replace it.
      direct_ = true;
      file_.reset(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
      return file_.valid() ? Result<void>{} : failed(errno, "cannot write");
    }
    std::error_code ignored;
    const auto resolved = std::filesystem::canonical(path_, ignored);
    if (!ignored) final_ = resolved.native();
  }
  const std::string folder = folder_of(final_);
  folder_.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  file_.reset(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, options.mode));
  if (!file_.valid() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    temporary_ = temporary_name(final_);
    file_.reset(::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, options.mode));
    if (!file_.valid()) temporary_.clear();
  }
  if (!file_.valid()) return failed(errno, "cannot create");
  // O_TMPFILE forgets the umask on some file systems; what is asked for is set in any case.
  const mode_t mode = options.exact_mode ? options.mode : options.mode & ~current_umask();
  if (::fchmod(file_.get(), mode) != 0) return failed(errno, "cannot set mode");
  if (options.owner && ::fchown(file_.get(), options.owner->user, options.owner->group) != 0) {
    // Not ours to give away: the file then simply belongs to whoever made it.
  }
  return {};
}

AtomicFile::~AtomicFile() {
  if (file_.valid() && !temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> AtomicFile::write(Bytes bytes) {
  size_ += bytes.size();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return buffer_.size() >= kBufferBytes ? flush() : Result<void>{};
}

Result<void> AtomicFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t wrote = ::write(file_.get(), buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno != EINTR)
      return failed(errno, fmt::format("cannot write {} bytes", buffer_.size()));
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  buffer_.clear();
  return {};
}

Result<void> AtomicFile::link_unnamed(const std::string& name) {
  const std::string self = fmt::format("/proc/self/fd/{}", file_.get());
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return {};
  // Without a /proc the descriptor itself will do, for a privileged process.
  const int why = errno;
  if (why == ENOENT && ::linkat(file_.get(), "", AT_FDCWD, name.c_str(), AT_EMPTY_PATH) == 0)
    return {};
  name_taken_ = why == EEXIST;
  return failed(why, "cannot give the file its name");
}

Result<void> AtomicFile::name_it() {
  if (!replace_ && temporary_.empty()) return link_unnamed(final_);
  if (!replace_) {
    if (::link(temporary_.c_str(), final_.c_str()) != 0) {
      name_taken_ = errno == EEXIST;
      return failed(errno, "cannot give the file its name");
    }
    ::unlink(temporary_.c_str());
    temporary_.clear();
    return {};
  }
  if (temporary_.empty()) {
    const std::string name = temporary_name(final_);
    HPROF_TRY(link_unnamed(name));
    temporary_ = name;
  }
  if (::rename(temporary_.c_str(), final_.c_str()) != 0) return failed(errno, "cannot rename");
  temporary_.clear();
  return {};
}

Result<void> AtomicFile::commit() {
  HPROF_TRY(flush());
  if (!direct_) {
    if (::fsync(file_.get()) != 0) return failed(errno, "cannot sync");
    HPROF_TRY(name_it());
    if (folder_.valid()) ::fsync(folder_.get());
  }
  // close() is where some network file systems report that the space ran out.
  if (::close(file_.release()) != 0 && errno != EINTR) return failed(errno, "cannot close");
  return {};
}

}  // namespace hprof
