// SPDX-License-Identifier: Apache-2.0
#include "decoding_source.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace hprof::formats {

Error DecodingSource::damaged(const char* why) const {
  return {ErrorKind::malformed_input,
          fmt::format("{} data is damaged at offset {:#x}: {}", name_, consumed_, why), {}};
}

Result<void> DecodingSource::refill() {
  if (!in_.empty() || in_ended_) return {};
  HPROF_ASSIGN(in_, compressed_.next());
  in_ended_ = in_.empty();
  return {};
}

Result<Bytes> DecodingSource::next() {
  for (;;) {
    HPROF_TRY(refill());
    if (between_streams_) {
      // Zeros behind the end are the padding of block devices and tar, as gzip(1) takes it.
      while (!in_.empty() && consumed_ != 0 && in_[0] == std::byte{0}) in_ = in_.subspan(1);
      if (in_.empty()) {
        if (in_ended_) return Bytes{};
        continue;
      }
      if (consumed_ != 0) restart();
      between_streams_ = false;
    }
    if (in_.empty()) return damaged("it ends in the middle");
    const DecodeStep done = step(in_, out_);
    if (done.error != nullptr) return damaged(done.error);
    consumed_ += done.consumed;
    in_ = in_.subspan(done.consumed);
    between_streams_ = done.stream_ended;
    if (done.produced != 0) return Bytes{out_.data(), done.produced};
    if (done.consumed == 0 && !done.stream_ended) return damaged("it does not go on");
  }
}

namespace {

class GzipSource final : public DecodingSource {
 public:
  explicit GzipSource(ByteSource& compressed) : DecodingSource(compressed, "gzip") {
    constexpr int kGzipWindow = 15 + 16;
    ready_ = inflateInit2(&z_, kGzipWindow) == Z_OK;
  }
  ~GzipSource() override { inflateEnd(&z_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

 protected:
  DecodeStep step(Bytes in, std::span<std::byte> out) override {
    if (!ready_) return {.error = "out of memory"};
    const std::size_t size = std::min<std::size_t>(in.size(), std::size_t{1} << 30);
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));  // NOLINT: zlib's API
    z_.avail_in = static_cast<uInt>(size);
    z_.next_out = reinterpret_cast<Bytef*>(out.data());
    z_.avail_out = static_cast<uInt>(out.size());
    const int code = inflate(&z_, Z_NO_FLUSH);
    DecodeStep done{.consumed = size - z_.avail_in,
                    .produced = out.size() - z_.avail_out,
                    .stream_ended = code == Z_STREAM_END};
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      done.error = z_.msg != nullptr ? z_.msg : "invalid data";
    }
    return done;
  }
  void restart() override { inflateReset(&z_); }

 private:
  z_stream z_{};
  bool ready_ = false;
};

class ZstdSource final : public DecodingSource {
 public:
  explicit ZstdSource(ByteSource& compressed)
      : DecodingSource(compressed, "zstd"), stream_(ZSTD_createDStream()) {}
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

 protected:
  DecodeStep step(Bytes in, std::span<std::byte> out) override {
    if (stream_ == nullptr) return {.error = "out of memory"};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t code = ZSTD_decompressStream(stream_, &to, &from);
    DecodeStep done{.consumed = from.pos, .produced = to.pos, .stream_ended = code == 0};
    if (ZSTD_isError(code) != 0) done.error = ZSTD_getErrorName(code);
    return done;
  }
  void restart() override { ZSTD_initDStream(stream_); }

 private:
  ZSTD_DStream* stream_;
};

class XzSource final : public DecodingSource {
 public:
  explicit XzSource(ByteSource& compressed) : DecodingSource(compressed, "xz") { restart(); }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

 protected:
  DecodeStep step(Bytes in, std::span<std::byte> out) override {
    if (!ready_) return {.error = "out of memory"};
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    DecodeStep done{.consumed = in.size() - stream_.avail_in,
                    .produced = out.size() - stream_.avail_out,
                    .stream_ended = code == LZMA_STREAM_END};
    if (code == LZMA_MEMLIMIT_ERROR) {
      done.error = "it needs more than 256 MiB of memory";
    } else if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) {
      done.error = "invalid data";
    }
    return done;
  }
  void restart() override {
    constexpr std::uint64_t kMemoryLimit = std::uint64_t{256} << 20;
    ready_ = lzma_stream_decoder(&stream_, kMemoryLimit, 0) == LZMA_OK;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_gzip_stream(ByteSource& compressed) {
  return std::make_unique<GzipSource>(compressed);
}
std::unique_ptr<ByteSource> make_zstd_source(ByteSource& compressed) {
  return std::make_unique<ZstdSource>(compressed);
}
std::unique_ptr<ByteSource> make_xz_source(ByteSource& compressed) {
  return std::make_unique<XzSource>(compressed);
}

}  // namespace hprof::formats
