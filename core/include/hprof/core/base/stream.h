// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <string>
#include <vector>

namespace hprof {

/// Where bytes come from, chunk by chunk.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The next bytes, empty at the end. Lifetime: until the next call.
  virtual Result<Bytes> next() = 0;
  /// All that is left, where it lies in memory as a whole anyway, so that no reader copies it; else
  /// empty. Takes nothing: next() still gives the same bytes. Lifetime: as long as the source.
  [[nodiscard]] virtual Bytes rest() const { return {}; }
};

/// Where bytes go.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Result<void> write(Bytes bytes) = 0;
  Result<void> write(std::string_view text) { return write(as_bytes(text)); }
};

/// Bytes already in memory (or mapped), given out in chunks of at most `chunk_size`.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(Bytes bytes, std::size_t chunk_size = std::size_t{1} << 22)
      : rest_(bytes), chunk_size_(chunk_size) {}
  Result<Bytes> next() override;
  [[nodiscard]] Bytes rest() const override { return rest_; }

 private:
  Bytes rest_;
  std::size_t chunk_size_;
};

/// Reads a descriptor, which stays the caller's, in chunks of `chunk_size` bytes.
class FdSource final : public ByteSource {
 public:
  explicit FdSource(int fd, std::size_t chunk_size = std::size_t{1} << 20)
      : fd_(fd), buffer_(chunk_size) {}
  Result<Bytes> next() override;

 private:
  int fd_;
  std::vector<std::byte> buffer_;
};

/// Collects what is written in a string.
class StringSink final : public ByteSink {
 public:
  using ByteSink::write;
  Result<void> write(Bytes bytes) override;
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Everything that is left in `source`. Errors: malformed_input beyond `limit` bytes.
Result<std::vector<std::byte>> read_all(ByteSource& source, std::uint64_t limit);

}  // namespace hprof
