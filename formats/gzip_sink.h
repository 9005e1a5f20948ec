// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <memory>
#include <vector>

namespace hprof::formats {

/// Compresses what is written as one gzip member into another sink. Up to kWhole bytes are kept and
/// compressed at once by libdeflate, about twice as fast as zlib; longer data streams through zlib.
/// Nothing is complete before finish(). Lifetime: borrows the sink.
class GzipSink final : public ByteSink {
 public:
  static constexpr std::size_t kWhole = std::size_t{64} << 20;

  /// `level` 1..9.
  GzipSink(ByteSink& out, int level);
  ~GzipSink() override;
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  using ByteSink::write;
  Result<void> write(Bytes bytes) override;
  Result<void> finish();

 private:
  struct Stream;

  Result<void> deflate_some(Bytes bytes, int flush);

  ByteSink& out_;
  int level_;
  std::vector<std::byte> held_;
  std::unique_ptr<Stream> stream_;
};

/// All of `bytes` as one gzip member, without a copy of the input. `level` 1..9.
Result<void> gzip_whole(Bytes bytes, ByteSink& out, int level);

}  // namespace hprof::formats
