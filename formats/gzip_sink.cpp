// SPDX-License-Identifier: Apache-2.0
#include "gzip_sink.h"

#include <hprof/core/base/error.h>

#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

Error out_of_memory() { return {ErrorKind::failed, "out of memory for gzip", {}}; }

}  // namespace

struct GzipSink::Stream {
  z_stream z{};
  std::array<std::byte, std::size_t{1} << 16> out{};
  ~Stream() { deflateEnd(&z); }
};

GzipSink::GzipSink(ByteSink& out, int level) : out_(out), level_(std::clamp(level, 1, 9)) {}
GzipSink::~GzipSink() = default;

Result<void> GzipSink::write(Bytes bytes) {
  if (!stream_ && bytes.size() <= kWhole - held_.size()) {
    held_.insert(held_.end(), bytes.begin(), bytes.end());
    return {};
  }
  if (!stream_) {
    stream_ = std::make_unique<Stream>();
    constexpr int kGzipWindow = 15 + 16;
    if (deflateInit2(&stream_->z, level_, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      return out_of_memory();
    }
    HPROF_TRY(deflate_some(held_, Z_NO_FLUSH));
    held_ = {};
  }
  return deflate_some(bytes, Z_NO_FLUSH);
}

Result<void> GzipSink::finish() {
  if (stream_) return deflate_some({}, Z_FINISH);
  return gzip_whole(held_, out_, level_);
}

Result<void> GzipSink::deflate_some(Bytes bytes, int flush) {
  z_stream& z = stream_->z;
  do {
    // zlib counts in 32 bits.
    const Bytes part = bytes.first(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    bytes = bytes.subspan(part.size());
    z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(part.data()));  // NOLINT: zlib's API
    z.avail_in = static_cast<uInt>(part.size());
    const int now = bytes.empty() ? flush : Z_NO_FLUSH;
    do {
      z.next_out = reinterpret_cast<Bytef*>(stream_->out.data());
      z.avail_out = static_cast<uInt>(stream_->out.size());
      if (deflate(&z, now) == Z_STREAM_ERROR) return out_of_memory();
      HPROF_TRY(out_.write(Bytes{stream_->out.data(), stream_->out.size() - z.avail_out}));
    } while (z.avail_out == 0);
  } while (!bytes.empty());
  return {};
}

Result<void> gzip_whole(Bytes bytes, ByteSink& out, int level) {
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor{
      libdeflate_alloc_compressor(level)};
  if (!compressor) return out_of_memory();
  const std::size_t bound = libdeflate_gzip_compress_bound(compressor.get(), bytes.size());
  // Not a vector: pages that the result does not reach are never touched.
  const std::unique_ptr<std::byte[]> packed{new std::byte[bound]};
  const std::size_t size = libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(),
                                                    packed.get(), bound);
  if (size == 0) return Error{ErrorKind::failed, "gzip compression failed", {}};
  return out.write(Bytes{packed.get(), size});
}

}  // namespace hprof::formats
