// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <cstdint>
#include <string_view>

namespace hprof::formats {

// A message body is described once, by a function template over its output: run over a ProtoSize it
// gives the length that protobuf wants in front, run over a ProtoOut it writes. No message tree.
// All field numbers here are below 16, so that a tag is one byte.

enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

constexpr std::uint32_t make_tag(std::uint32_t field, WireType type) {
  return (field << 3) | static_cast<std::uint32_t>(type);
}

inline std::size_t varint_size(std::uint64_t value) {
  return google::protobuf::io::CodedOutputStream::VarintSize64(value);
}

/// Adds up the bytes of a message body.
class ProtoSize {
 public:
  void always(std::uint32_t /*field*/, std::uint64_t value) { size_ += 1 + varint_size(value); }
  void number(std::uint32_t field, std::uint64_t value) {
    if (value != 0) always(field, value);
  }
  void signed_number(std::uint32_t field, std::int64_t value) {
    number(field, static_cast<std::uint64_t>(value));
  }
  void header(std::uint32_t /*field*/, std::size_t body) { size_ += 1 + varint_size(body); }
  void varint(std::uint64_t value) { size_ += varint_size(value); }
  void raw(std::string_view bytes) { size_ += bytes.size(); }
  void skip(std::size_t bytes) { size_ += bytes; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

/// Writes a message body.
class ProtoOut {
 public:
  explicit ProtoOut(google::protobuf::io::CodedOutputStream& out) : out_(out) {}
  /// A field that stands in the bytes even when it is 0.
  void always(std::uint32_t field, std::uint64_t value) {
    out_.WriteTag(make_tag(field, kVarint));
    out_.WriteVarint64(value);
  }
  void number(std::uint32_t field, std::uint64_t value) {
    if (value != 0) always(field, value);
  }
  void signed_number(std::uint32_t field, std::int64_t value) {
    number(field, static_cast<std::uint64_t>(value));
  }
  /// Tag and length of a submessage, string or packed list whose bytes follow.
  void header(std::uint32_t field, std::size_t body) {
    out_.WriteTag(make_tag(field, kLengthDelimited));
    out_.WriteVarint64(body);
  }
  void varint(std::uint64_t value) { out_.WriteVarint64(value); }
  void raw(std::string_view bytes) {
    // The library hands even an empty piece to memcpy, which takes no null pointer.
    if (!bytes.empty()) out_.WriteRaw(bytes.data(), static_cast<int>(bytes.size()));
  }

 private:
  google::protobuf::io::CodedOutputStream& out_;
};

/// A submessage: `body(out)` describes its fields.
template <typename Out, typename Body>
void put_message(Out& out, std::uint32_t field, const Body& body) {
  ProtoSize size;
  body(size);
  out.header(field, size.size());
  body(out);
}

}  // namespace hprof::formats
