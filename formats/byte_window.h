// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <cstdint>
#include <vector>

namespace hprof::formats {

/// A source as a moving window of contiguous bytes. Lifetime: borrows the source.
class ByteWindow {
 public:
  explicit ByteWindow(ByteSource& source) : source_(source) {}

  /// At least `count` bytes at the front, fewer only where the source ends. Lifetime: next call.
  Result<Bytes> peek(std::size_t count);
  /// Drops `count` bytes, which need not have been seen; fewer where the source ends.
  Result<void> skip(std::uint64_t count);
  /// Everything that is left, at most `limit` bytes. Errors: malformed_input if there is more.
  Result<Bytes> rest(std::uint64_t limit);
  /// Bytes dropped so far: the offset of the front.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  Result<void> fill();

  ByteSource& source_;
  std::vector<std::byte> buffer_;
  std::size_t front_ = 0;
  std::uint64_t offset_ = 0;
  bool at_end_ = false;
};

}  // namespace hprof::formats
