// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>
#include <hprof/core/base/unique_fd.h>

#include <string>

namespace hprof {

/// The bytes of a regular file, mapped read-only. Reads of a part that another process has since
/// cut off see zeros once install_sigbus_guard() was called, instead of ending the process.
class MappedFile {
 public:
  /// Maps `path`. Errors: what open(2) says; unsupported if it is not a regular file.
  static Result<MappedFile> open(const std::string& path);
  /// Maps the file behind `fd`, which stays the caller's. `name` is for messages only.
  static Result<MappedFile> map(int fd, std::string_view name);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] Bytes bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Makes reads beyond the end of a shrunken mapped file see zeros (a zero page is mapped over the
/// fault) where the fault lies in a live MappedFile; any other SIGBUS keeps its default effect.
void install_sigbus_guard();

}  // namespace hprof
