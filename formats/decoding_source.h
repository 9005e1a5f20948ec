// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <memory>

namespace hprof::formats {

// One decompressor for each wrapper, all streaming. Each reads concatenated streams as one, and
// fails with malformed_input on damage, on an end in the middle and on bytes behind the end.

/// gzip, piece by piece through zlib.
std::unique_ptr<ByteSource> make_gzip_stream(ByteSource& compressed);
/// gzip. Where the input lies in memory and says it is small, it is inflated at once by libdeflate.
std::unique_ptr<ByteSource> make_gzip_source(ByteSource& compressed);
std::unique_ptr<ByteSource> make_zstd_source(ByteSource& compressed);
std::unique_ptr<ByteSource> make_xz_source(ByteSource& compressed);

/// What a decompressor does with one piece of input and a buffer for output.
struct DecodeStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool stream_ended = false;
  const char* error = nullptr;  ///< what the library says, or null
};

/// The part all streaming decompressors share: feeding input, filling an output buffer, and what
/// may follow the end of a stream.
class DecodingSource : public ByteSource {
 public:
  Result<Bytes> next() override;

 protected:
  DecodingSource(ByteSource& compressed, const char* name)
      : compressed_(compressed), name_(name), out_(std::size_t{1} << 18) {}

  virtual DecodeStep step(Bytes in, std::span<std::byte> out) = 0;
  /// Makes ready for another stream behind the one that ended.
  virtual void restart() = 0;

 private:
  Result<void> refill();
  [[nodiscard]] Error damaged(const char* why) const;

  ByteSource& compressed_;
  const char* name_;
  std::vector<std::byte> out_;
  Bytes in_;
  std::uint64_t consumed_ = 0;
  bool in_ended_ = false;
  bool between_streams_ = true;
};

}  // namespace hprof::formats
