// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <cstdint>

namespace hprof::formats {

/// One field of a protobuf message. `value` holds a varint or fixed number, `bytes` what is
/// length-delimited.
struct ProtoField {
  std::uint32_t number = 0;
  std::uint32_t wire = 0;
  std::uint64_t value = 0;
  Bytes bytes;
  Bytes whole;  ///< with tag and length, for copying
};

/// Walks the fields of one message. Wire types 3, 4, 6 and 7, field number 0, varints beyond ten
/// bytes and lengths beyond the message end the walk with ok() false. Lifetime: borrows the bytes.
class ProtoCursor {
 public:
  explicit ProtoCursor(Bytes message)
      : at_(message.data()), begin_(message.data()), end_(message.data() + message.size()) {}

  /// The next field, or false at the end and on an error.
  bool next(ProtoField& field) {
    if (at_ == end_) return false;
    const std::byte* const start = at_;
    std::uint64_t tag = 0;
    if (!varint(tag) || tag > 0xffffffffULL || (tag >> 3) == 0) return fail(start);
    field.number = static_cast<std::uint32_t>(tag >> 3);
    field.wire = static_cast<std::uint32_t>(tag & 7);
    if (!payload(field)) return fail(start);
    field.whole = {start, at_};
    return true;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  /// Where the walk is, or where the field that ended it began.
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] bool at_end() const { return at_ == end_; }

  /// A bare varint, for packed lists.
  bool varint(std::uint64_t& value) {
    if (at_ != end_) {  // most numbers are one byte
      const auto first = static_cast<std::uint64_t>(*at_);
      if (first < 0x80) {
        ++at_;
        value = first;
        return true;
      }
    }
    return long_varint(value);
  }

 private:
  bool long_varint(std::uint64_t& value) {
    std::uint64_t sum = 0;
    const std::byte* at = at_;
    for (unsigned shift = 0; shift < 70 && at != end_; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(*at++);
      sum |= shift < 63 ? (byte & 0x7f) << shift : (byte & 1) << 63;
      if (byte < 0x80) {
        at_ = at;
        value = sum;
        return true;
      }
    }
    return ok_ = false;
  }

  bool payload(ProtoField& field) {
    std::uint64_t size = 0;
    switch (field.wire) {
      case 0:
        return varint(field.value);
      case 1:
        size = 8;
        break;
      case 2:
        if (!varint(size)) return false;
        break;
      case 5:
        size = 4;
        break;
      default:
        return false;
    }
    if (size > static_cast<std::size_t>(end_ - at_)) return false;
    field.bytes = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return true;
  }

  bool fail(const std::byte* start) {
    at_ = start;
    return ok_ = false;
  }

  const std::byte* at_;
  const std::byte* begin_;
  const std::byte* end_;
  bool ok_ = true;
};

}  // namespace hprof::formats
