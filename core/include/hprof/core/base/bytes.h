// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <string.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace hprof {

using Bytes = std::span<const std::byte>;

inline Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span{text}); }
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename T>
  requires std::is_integral_v<T>
constexpr T byteswap(T value) {
  using U = std::make_unsigned_t<T>;
  U in = static_cast<U>(value);
  U out = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out = static_cast<U>((static_cast<std::uint64_t>(out) << 8) | (in & 0xff));
    in = static_cast<U>(static_cast<std::uint64_t>(in) >> 8);
  }
  return static_cast<T>(out);
}

template <typename E>
constexpr auto to_underlying(E e) {
  return static_cast<std::underlying_type_t<E>>(e);
}

/// Reads numbers and strings from bytes nobody vouches for, front to back.
/// A read beyond the end returns zero or an empty view and makes ok() false for good, so a reader
/// may take a whole record and check once. Lifetime: borrows the bytes.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, std::endian order = std::endian::little)
      : bytes_(bytes), swap_(order != std::endian::native) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }

  template <typename T>
    requires std::is_integral_v<T>
  T read() {
    T value{};
    if (sizeof(T) > remaining()) return fail(), value;
    memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    return swap_ ? byteswap(value) : value;
  }
  std::uint8_t u8() { return read<std::uint8_t>(); }
  std::uint16_t u16() { return read<std::uint16_t>(); }
  std::uint32_t u32() { return read<std::uint32_t>(); }
  std::uint64_t u64() { return read<std::uint64_t>(); }

  Bytes take(std::uint64_t count) {
    if (count > remaining()) return fail(), Bytes{};
    Bytes out = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return out;
  }
  void skip(std::uint64_t count) { take(count); }
  /// Moves to an absolute offset.
  void seek(std::uint64_t offset) {
    if (offset > bytes_.size()) return fail();
    position_ = static_cast<std::size_t>(offset);
  }

  /// A NUL-terminated string; the NUL is consumed and not part of the view.
  std::string_view c_string() {
    const void* end = remaining() == 0 ? nullptr : memchr(bytes_.data() + position_, 0, remaining());
    if (end == nullptr) return fail(), std::string_view{};
    const auto size =
        static_cast<std::size_t>(static_cast<const std::byte*>(end) - (bytes_.data() + position_));
    std::string_view out = as_text(bytes_.subspan(position_, size));
    position_ += size + 1;
    return out;
  }

  /// Little-endian base-128; more than ten bytes fail.
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      const std::uint8_t byte = u8();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return fail(), std::uint64_t{0};
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      const std::uint8_t byte = u8();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) {
        if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
        return static_cast<std::int64_t>(value);
      }
    }
    return fail(), std::int64_t{0};
  }

  /// Marks the reader as failed, for a caller that found a contradiction itself.
  void fail() { ok_ = false; }

 private:
  Bytes bytes_;
  std::size_t position_ = 0;
  bool swap_;
  bool ok_ = true;
};

/// Copies a T out of `bytes` at `offset`, or T{} where it does not fit.
template <typename T>
  requires std::is_trivially_copyable_v<T>
T load(Bytes bytes, std::size_t offset) {
  T value{};
  if (offset <= bytes.size() && sizeof(T) <= bytes.size() - offset) {
    memcpy(&value, bytes.data() + offset, sizeof(T));
  }
  return value;
}

}  // namespace hprof
