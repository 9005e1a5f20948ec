// SPDX-License-Identifier: Apache-2.0
#define ZLIB_CONST  // next_in points to const bytes
#include "symbolize/elf/decompress.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <elf.h>

#include <algorithm>
#include <memory>

// Debian 12's elf.h ends at ZLIB; zstd came with gABI in 2022.
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

namespace hprof::symbolize {
namespace {

// The most that one byte of input can stand for: 1032 in deflate; zstd's blocks of one repeated
// byte are 128 KiB from 4 bytes. A claim beyond it needs no memory to be refused.
constexpr std::uint64_t kZlibGrowth = 1032;
constexpr std::uint64_t kZstdGrowth = 32768;

Error malformed(std::string message) {
  return {.kind = ErrorKind::malformed_input, .message = std::move(message), .hint = {}};
}

Result<void> check_claim(Bytes in, std::uint64_t size, std::uint64_t growth) {
  if (size > kMaxInflatedBytes || size / growth > in.size()) {
    return malformed(fmt::format("compressed data of {} bytes claims {}", in.size(), size));
  }
  return {};
}

}  // namespace

Result<std::vector<std::byte>> inflate_zlib(Bytes in, std::uint64_t size) {
  HPROF_TRY(check_claim(in, size, kZlibGrowth));
  std::vector<std::byte> out(size);
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return malformed("zlib does not start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard{&stream, inflateEnd};
  std::size_t fed = 0;
  std::size_t got = 0;
  int status = Z_OK;
  constexpr std::size_t kStep = std::size_t{1} << 30;  // zlib counts in 32 bits
  while (status == Z_OK) {
    const std::size_t in_step = std::min(kStep, in.size() - fed);
    const std::size_t out_step = std::min(kStep, out.size() - got);
    stream.next_in = reinterpret_cast<const Bytef*>(in.data() + fed);
    stream.avail_in = static_cast<uInt>(in_step);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + got);
    stream.avail_out = static_cast<uInt>(out_step);
    status = inflate(&stream, Z_NO_FLUSH);
    fed += in_step - stream.avail_in;
    got += out_step - stream.avail_out;
    if (status == Z_OK && in_step == stream.avail_in && out_step == stream.avail_out) break;
  }
  if (status != Z_STREAM_END || got != size) return malformed("broken zlib data");
  return out;
}

Result<std::vector<std::byte>> inflate_zstd(Bytes in, std::uint64_t size) {
  HPROF_TRY(check_claim(in, size, kZstdGrowth));
  std::vector<std::byte> out(size);
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(got) != 0 || got != size) return malformed("broken zstd data");
  return out;
}

Result<std::vector<std::byte>> inflate_xz(Bytes in, std::uint64_t limit) {
  lzma_stream stream = LZMA_STREAM_INIT;
  constexpr std::uint64_t kMemory = std::uint64_t{1} << 28;
  if (lzma_stream_decoder(&stream, kMemory, LZMA_CONCATENATED) != LZMA_OK) {
    return malformed("xz does not start");
  }
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> guard{&stream, lzma_end};
  std::vector<std::byte> out;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
  stream.avail_in = in.size();
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK) {
    const std::size_t got = out.size();
    if (got >= limit) return malformed("xz data grows beyond its limit");
    out.resize(std::min<std::uint64_t>(limit, std::max<std::size_t>(got * 2, 1 << 16)));
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.data() + got);
    stream.avail_out = out.size() - got;
    status = lzma_code(&stream, LZMA_FINISH);
    out.resize(out.size() - stream.avail_out);
  }
  if (status != LZMA_STREAM_END) return malformed("broken xz data");
  return out;
}

namespace {

// Elf64_Chdr {type u32, reserved u32, size u64, align u64}; Elf32_Chdr {type, size, align u32}
Result<SectionData> inflate_section(const ElfImage& image, Bytes raw) {
  ByteReader reader = image.reader(raw);
  const std::uint32_t type = reader.u32();
  if (image.is_64()) reader.skip(4);
  const std::uint64_t size = image.is_64() ? reader.u64() : reader.u32();
  reader.skip(image.is_64() ? 8 : 4);
  if (!reader.ok()) return malformed("compression header cut off");
  const Bytes payload = reader.take(reader.remaining());
  if (type != ELFCOMPRESS_ZLIB && type != ELFCOMPRESS_ZSTD) {
    return malformed(fmt::format("section compressed by unknown method {}", type));
  }
  HPROF_ASSIGN(std::vector<std::byte> out, type == ELFCOMPRESS_ZLIB ? inflate_zlib(payload, size)
                                                                    : inflate_zstd(payload, size));
  return SectionData{std::move(out)};
}

// .zdebug_*: "ZLIB", size as big-endian u64, zlib stream. Source: GNU gold before SHF_COMPRESSED.
Result<SectionData> inflate_old_section(Bytes raw) {
  ByteReader reader{raw, std::endian::big};
  if (as_text(reader.take(4)) != "ZLIB") return malformed(".zdebug section without its magic");
  const std::uint64_t size = reader.u64();
  HPROF_ASSIGN(std::vector<std::byte> out, inflate_zlib(reader.take(reader.remaining()), size));
  return SectionData{std::move(out)};
}

}  // namespace

Result<SectionData> read_section(const ElfImage& image, std::string_view name) {
  if (const ElfSection* section = image.find_section(name); section != nullptr) {
    const Bytes raw = image.section_bytes(*section);
    if ((section->flags & SHF_COMPRESSED) == 0 || raw.empty()) return SectionData{raw};
    return inflate_section(image, raw);
  }
  if (!name.starts_with(".debug_")) return SectionData{};
  const Bytes old = image.section_bytes(std::string(".z").append(name.substr(1)));
  return old.empty() ? Result<SectionData>{SectionData{}} : inflate_old_section(old);
}

}  // namespace hprof::symbolize
