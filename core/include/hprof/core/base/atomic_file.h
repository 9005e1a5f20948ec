// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>
#include <hprof/core/base/unique_fd.h>

#include <sys/types.h>

#include <optional>
#include <string>

namespace hprof {

/// Who a file shall belong to.
struct FileOwner {
  uid_t user = 0;
  gid_t group = 0;
};

struct AtomicFileOptions {
  mode_t mode = 0666;       ///< less the umask
  bool exact_mode = false;  ///< the umask does not count
  std::optional<FileOwner> owner =
      std::nullopt;     ///< tried, and ignored where the kernel forbids it
  bool replace = true;  ///< false: commit() fails with EEXIST where the name is taken
};

/// A file that has its final name only when it is whole and on the disk.
/// The bytes go to an unnamed file in the same folder (O_TMPFILE), so that not even kill -9 leaves
/// anything; where the file system has no such thing, to a hidden name that the destructor removes.
/// A symbolic link is followed; a device, pipe or socket is written to directly.
class AtomicFile final : public ByteSink {
 public:
  /// Errors: what the kernel says of the folder; the message begins with `path`.
  static Result<AtomicFile> create(const std::string& path, const AtomicFileOptions& options = {});

  AtomicFile(AtomicFile&& other) noexcept = default;
  AtomicFile& operator=(AtomicFile&& other) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() override;

  using ByteSink::write;
  Result<void> write(Bytes bytes) override;

  /// Syncs, gives the file its name, syncs the folder. Nothing may be written afterwards.
  /// Errors: as write(); with `replace` false and a taken name, `name_taken()` tells them apart.
  Result<void> commit();
  [[nodiscard]] bool name_taken() const { return name_taken_; }
  /// Bytes written so far.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  AtomicFile() = default;
  Result<void> open(const AtomicFileOptions& options);
  Result<void> flush();
  Result<void> name_it();
  Result<void> link_unnamed(const std::string& name);
  [[nodiscard]] Error failed(int errno_value, std::string_view what) const;

  std::string path_;       ///< as the caller wrote it, for messages
  std::string final_;      ///< with symbolic links resolved
  std::string temporary_;  ///< empty: unnamed, direct, or done
  UniqueFd file_;
  UniqueFd folder_;
  std::vector<std::byte> buffer_;
  std::uint64_t size_ = 0;
  bool direct_ = false;
  bool replace_ = true;
  bool name_taken_ = false;
};

}  // namespace hprof
