// SPDX-License-Identifier: Apache-2.0
#include "text_encoding.h"

#include <bit>
#include <optional>

namespace hprof::formats {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

void append_utf8(std::uint32_t c, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

class SkipSource final : public ByteSource {
 public:
  SkipSource(ByteSource& inner, std::size_t skip) : inner_(inner), skip_(skip) {}
  Result<Bytes> next() override {
    for (;;) {
      HPROF_ASSIGN(const Bytes chunk, inner_.next());
      if (skip_ == 0 || chunk.empty()) return chunk;
      const std::size_t cut = std::min(skip_, chunk.size());
      skip_ -= cut;
      if (cut < chunk.size()) return chunk.subspan(cut);
    }
  }
  [[nodiscard]] Bytes rest() const override {
    const Bytes all = inner_.rest();
    return all.subspan(std::min(skip_, all.size()));
  }

 private:
  ByteSource& inner_;
  std::size_t skip_;
};

class Utf16Source final : public ByteSource {
 public:
  Utf16Source(ByteSource& inner, std::endian order) : inner_(inner, 2), order_(order) {}

  Result<Bytes> next() override {
    for (;;) {
      HPROF_ASSIGN(const Bytes chunk, inner_.next());
      out_.clear();
      if (chunk.empty()) {
        finish();
      } else {
        for (const std::byte byte : chunk) take(byte);
      }
      if (!out_.empty() || chunk.empty()) return as_bytes(out_);
    }
  }

 private:
  void take(std::byte byte) {
    if (!first_) {
      first_ = byte;
      return;
    }
    const auto low = static_cast<std::uint32_t>(order_ == std::endian::little ? *first_ : byte);
    const auto high = static_cast<std::uint32_t>(order_ == std::endian::little ? byte : *first_);
    first_.reset();
    unit(high << 8 | low);
  }

  void unit(std::uint32_t value) {
    const bool is_low_surrogate = value >= 0xdc00 && value < 0xe000;
    if (surrogate_ != 0 && is_low_surrogate) {
      append_utf8(0x10000 + ((surrogate_ - 0xd800) << 10) + (value - 0xdc00), out_);
      surrogate_ = 0;
      return;
    }
    if (surrogate_ != 0) append_utf8(kReplacement, out_);
    surrogate_ = value >= 0xd800 && value < 0xdc00 ? value : 0;
    if (surrogate_ == 0) append_utf8(is_low_surrogate ? kReplacement : value, out_);
  }

  void finish() {
    if (surrogate_ != 0 || first_) append_utf8(kReplacement, out_);
    surrogate_ = 0;
    first_.reset();
  }

  SkipSource inner_;
  std::endian order_;
  std::string out_;
  std::optional<std::byte> first_;
  std::uint32_t surrogate_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> make_utf8_source(Bytes head, ByteSource& source) {
  const std::string_view text = as_text(head);
  if (text.starts_with("\xef\xbb\xbf")) return std::make_unique<SkipSource>(source, 3);
  if (text.starts_with("\xff\xfe")) {
    return std::make_unique<Utf16Source>(source, std::endian::little);
  }
  if (text.starts_with("\xfe\xff")) return std::make_unique<Utf16Source>(source, std::endian::big);
  return nullptr;
}

}  // namespace hprof::formats
