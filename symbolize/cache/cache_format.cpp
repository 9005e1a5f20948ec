// SPDX-License-Identifier: Apache-2.0
#include "symbolize/cache/symbol_cache.h"

#include <hprof/core/base/bytes.h>

#include <zlib.h>

#include <string.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

// A cache file, in the byte order of the machine:
//   magic "hpsymc\0", version u8, crc32 u32 of all that follows, 0 u32
//   source: length u32, bytes
//   strings: count u32, then {length u32, bytes}*; string 0 is empty
//   functions: count u32, then {system_name, name, file: u32 string, start_line u32}*
//   addresses: count u32, then {address u64, frames u32, then {function, line, column: u32}*}*
namespace hprof::symbolize {
namespace {

constexpr std::string_view kMagic{"hpsymc\0\1", 8};
constexpr std::size_t kHeader = 16;

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

class Encoder {
 public:
  template <typename T>
  void number(T value) {
    const std::size_t at = out_.size();
    out_.resize(at + sizeof value);
    memcpy(out_.data() + at, &value, sizeof value);
  }
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    out_.append(text);
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

struct FunctionRow {
  std::uint32_t system_name = 0;
  std::uint32_t name = 0;
  std::uint32_t file = 0;
  std::uint32_t start_line = 0;
  auto operator<=>(const FunctionRow&) const = default;
};

// Gives strings and functions their numbers.
class Tables {
 public:
  Tables() { string({}); }

  std::uint32_t function(const Frame& frame) {
    const FunctionRow row{string(frame.system_name), string(frame.name), string(frame.file),
                          frame.start_line};
    const auto [entry, fresh] =
        function_ids_.try_emplace(row, static_cast<std::uint32_t>(functions_.size()));
    if (fresh) functions_.push_back(row);
    return entry->second;
  }

  void write(Encoder& out) const {
    out.number(static_cast<std::uint32_t>(strings_.size()));
    for (const std::string_view s : strings_) out.text(s);
    out.number(static_cast<std::uint32_t>(functions_.size()));
    for (const FunctionRow& row : functions_) {
      for (const std::uint32_t field : {row.system_name, row.name, row.file, row.start_line}) {
        out.number(field);
      }
    }
  }

 private:
  std::uint32_t string(std::string_view text) {
    const auto [entry, fresh] =
        string_ids_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
    if (fresh) strings_.push_back(text);
    return entry->second;
  }

  std::vector<std::string_view> strings_;  // borrow the frames
  std::unordered_map<std::string_view, std::uint32_t> string_ids_;
  std::vector<FunctionRow> functions_;
  std::map<FunctionRow, std::uint32_t> function_ids_;
};

struct Decoder {
  ByteReader reader;
  std::vector<std::string_view> strings;
  std::vector<FunctionRow> functions;

  // A count is believed only if that many of the smallest rows would fit.
  std::optional<std::uint32_t> count(std::size_t row_size) {
    const std::uint32_t n = reader.u32();
    if (!reader.ok() || n > reader.remaining() / row_size) return std::nullopt;
    return n;
  }
  std::string_view text() { return as_text(reader.take(reader.u32())); }

  bool read_tables() {
    const auto string_count = count(4);
    if (!string_count) return false;
    for (std::uint32_t i = 0; i < *string_count; ++i) strings.push_back(text());
    const auto function_count = count(sizeof(FunctionRow));
    if (!function_count) return false;
    for (std::uint32_t i = 0; i < *function_count; ++i) {
      FunctionRow row;
      for (std::uint32_t* field : {&row.system_name, &row.name, &row.file, &row.start_line}) {
        *field = reader.u32();
      }
      if (std::max({row.system_name, row.name, row.file}) >= strings.size()) return false;
      functions.push_back(row);
    }
    return reader.ok();
  }

  bool read_frames(Frames& out) {
    const auto frame_count = count(12);
    if (!frame_count) return false;
    for (std::uint32_t i = 0; i < *frame_count; ++i) {
      const std::uint32_t function = reader.u32();
      if (function >= functions.size()) return false;
      const FunctionRow& row = functions[function];
      Frame frame;
      frame.system_name = strings[row.system_name];
      frame.name = strings[row.name];
      frame.file = strings[row.file];
      frame.start_line = row.start_line;
      frame.line = reader.u32();
      frame.column = reader.u32();
      out.push_back(std::move(frame));
    }
    return reader.ok();
  }
};

}  // namespace

std::string encode_names(const std::string& source, const KnownNames& names) {
  Tables tables;
  Encoder addresses;
  addresses.number(static_cast<std::uint32_t>(names.size()));
  for (const auto& [address, frames] : names) {
    addresses.number(address);
    addresses.number(static_cast<std::uint32_t>(frames.size()));
    for (const Frame& frame : frames) {
      addresses.number(tables.function(frame));
      addresses.number(frame.line);
      addresses.number(frame.column);
    }
  }
  Encoder body;
  body.text(source);
  tables.write(body);
  const std::string content = body.take() + addresses.take();
  Encoder header;
  header.number(checksum(content));
  header.number(std::uint32_t{0});
  return std::string(kMagic) + header.take() + content;
}

KnownNames decode_names(std::string_view bytes, const std::string& source) {
  KnownNames names;
  if (bytes.size() < kHeader || !bytes.starts_with(kMagic)) return names;
  const std::string_view content = bytes.substr(kHeader);
  if (load<std::uint32_t>(as_bytes(bytes), kMagic.size()) != checksum(content)) return names;
  Decoder decoder{ByteReader{as_bytes(content), std::endian::native}, {}, {}};
  if (decoder.text() != source || !decoder.reader.ok() || !decoder.read_tables()) return names;
  const auto count = decoder.count(12);
  for (std::uint32_t i = 0; count && i < *count; ++i) {
    const std::uint64_t address = decoder.reader.u64();
    Frames frames;
    if (!decoder.read_frames(frames)) return {};
    names.emplace_hint(names.end(), address, std::move(frames));
  }
  return names;
}

}  // namespace hprof::symbolize
