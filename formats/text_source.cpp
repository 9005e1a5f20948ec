// SPDX-License-Identifier: Apache-2.0
#include "text_source.h"

#include <cstdint>

namespace hprof::formats {
namespace {

void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | (point >> 6));
    put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3f));
    put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3f));
    put(0x80 | ((point >> 6) & 0x3f));
    put(0x80 | (point & 0x3f));
  }
}

constexpr std::uint32_t kReplacement = 0xfffd;

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// Decodes whole characters of UTF-16 and returns how many bytes they were.
std::size_t decode_utf16(std::string_view raw, bool big_endian, bool last, std::string& out) {
  const auto unit_at = [&](std::size_t at) {
    const auto a = static_cast<unsigned char>(raw[at]);
    const auto b = static_cast<unsigned char>(raw[at + 1]);
    return std::uint32_t{big_endian ? (unsigned{a} << 8 | b) : (unsigned{b} << 8 | a)};
  };
  std::size_t at = 0;
  while (raw.size() - at >= 2) {
    const std::uint32_t unit = unit_at(at);
    if (!is_high_surrogate(unit)) {
      append_utf8(out, is_low_surrogate(unit) ? kReplacement : unit);
      at += 2;
      continue;
    }
    if (raw.size() - at < 4) {
      if (!last) break;
      append_utf8(out, kReplacement);
      at += 2;
      continue;
    }
    const std::uint32_t low = unit_at(at + 2);
    if (is_low_surrogate(low)) {
      append_utf8(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
      at += 4;
    } else {
      append_utf8(out, kReplacement);
      at += 2;
    }
  }
  return at;
}

std::size_t mark_size(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::utf8: return 0;
    case TextEncoding::utf8_bom: return 3;
    case TextEncoding::utf16_le:
    case TextEncoding::utf16_be: return 2;
  }
  return 0;
}

}  // namespace

TextEncoding text_encoding(Bytes head) {
  const std::string_view text = as_text(head);
  if (text.starts_with("\xef\xbb\xbf")) return TextEncoding::utf8_bom;
  if (text.starts_with("\xff\xfe")) return TextEncoding::utf16_le;
  if (text.starts_with("\xfe\xff")) return TextEncoding::utf16_be;
  return TextEncoding::utf8;
}

std::string text_head(Bytes head) {
  const TextEncoding encoding = text_encoding(head);
  const std::string_view rest = as_text(head).substr(mark_size(encoding));
  if (encoding == TextEncoding::utf8 || encoding == TextEncoding::utf8_bom) {
    return std::string{rest};
  }
  std::string out;
  decode_utf16(rest, encoding == TextEncoding::utf16_be, true, out);
  return out;
}

Result<Bytes> TextSource::next() {
  if (!started_) {
    started_ = true;
    return start();
  }
  if (done_) return Bytes{};
  HPROF_ASSIGN(const Bytes chunk, inner_.next());
  if (encoding_ == TextEncoding::utf8 || encoding_ == TextEncoding::utf8_bom) return chunk;
  if (chunk.empty()) done_ = true;
  const Bytes text = decode(chunk, chunk.empty());
  // An empty answer would mean the end: one byte of a unit may be all that came.
  return text.empty() && !chunk.empty() ? next() : Result<Bytes>{text};
}

Result<Bytes> TextSource::start() {
  std::string head;
  while (head.size() < 3) {
    HPROF_ASSIGN(const Bytes chunk, inner_.next());
    if (chunk.empty()) {
      done_ = true;
      break;
    }
    // The usual case costs no copy: a whole first chunk without a mark.
    if (head.empty() && chunk.size() >= 3 && text_encoding(chunk) == TextEncoding::utf8) {
      return chunk;
    }
    head.append(as_text(chunk));
  }
  encoding_ = text_encoding(as_bytes(head));
  const std::string_view rest = std::string_view{head}.substr(mark_size(encoding_));
  if (encoding_ == TextEncoding::utf16_le || encoding_ == TextEncoding::utf16_be) {
    const Bytes text = decode(as_bytes(rest), done_);
    return text.empty() && !done_ ? next() : Result<Bytes>{text};
  }
  decoded_ = rest;
  if (decoded_.empty() && !done_) return next();
  return as_bytes(decoded_);
}

Bytes TextSource::decode(Bytes bytes, bool last) {
  raw_.append(as_text(bytes));
  decoded_.clear();
  const std::size_t used = decode_utf16(raw_, encoding_ == TextEncoding::utf16_be, last, decoded_);
  raw_.erase(0, used);
  return as_bytes(decoded_);
}

}  // namespace hprof::formats
