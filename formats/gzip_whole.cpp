// SPDX-License-Identifier: Apache-2.0
// gzip in one piece: libdeflate inflates about twice as fast as zlib, but wants all of the input and
// room for all of the output.
#include "decoding_source.h"

#include <libdeflate.h>

namespace hprof::formats {
namespace {

constexpr std::size_t kMaxInput = std::size_t{256} << 20;
constexpr std::size_t kMaxOutput = std::size_t{256} << 20;
// No deflate stream swells more; a trailer that claims so is not worth an allocation.
constexpr std::size_t kMaxRatio = 1032;
constexpr std::size_t kSmallestMember = 18;

class InflatedSource final : public ByteSource {
 public:
  InflatedSource(std::unique_ptr<std::byte[]> bytes, std::size_t size)
      : bytes_(std::move(bytes)), rest_(bytes_.get(), size) {}

  Result<Bytes> next() override {
    const Bytes all = rest_;
    rest_ = {};
    return all;
  }
  [[nodiscard]] Bytes rest() const override { return rest_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  Bytes rest_;
};

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

// Null for anything but one good member: the streaming way then finds out what is there.
std::unique_ptr<ByteSource> inflate_whole(Bytes in) {
  if (in.size() < kSmallestMember || in.size() > kMaxInput) return nullptr;
  const auto claimed = ByteReader{in.last(4)}.u32();
  if (claimed == 0 || claimed > kMaxOutput || claimed / kMaxRatio > in.size()) return nullptr;
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> inflater{
      libdeflate_alloc_decompressor()};
  if (!inflater) return nullptr;
  std::unique_ptr<std::byte[]> out{new std::byte[claimed]};
  std::size_t used = 0;
  std::size_t size = 0;
  const libdeflate_result result = libdeflate_gzip_decompress_ex(
      inflater.get(), in.data(), in.size(), out.get(), claimed, &used, &size);
  if (result != LIBDEFLATE_SUCCESS || used != in.size()) return nullptr;
  return std::make_unique<InflatedSource>(std::move(out), size);
}

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(ByteSource& compressed) {
  std::unique_ptr<ByteSource> whole = inflate_whole(compressed.rest());
  return whole ? std::move(whole) : make_gzip_stream(compressed);
}

}  // namespace hprof::formats
