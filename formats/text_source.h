// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <string>
#include <string_view>

namespace hprof::formats {

enum class TextEncoding { utf8, utf8_bom, utf16_le, utf16_be };

/// What the byte order mark at the front of `head` says; utf8 if there is none.
TextEncoding text_encoding(Bytes head);

/// The text at the front of a file as UTF-8, for sniffers.
std::string text_head(Bytes head);

/// Gives text as UTF-8 whatever its byte order mark says: the mark is taken away, UTF-16 is
/// converted; half a surrogate pair becomes U+FFFD. Text without a mark passes untouched.
/// Lifetime: borrows `inner`.
class TextSource final : public ByteSource {
 public:
  explicit TextSource(ByteSource& inner) : inner_(inner) {}
  Result<Bytes> next() override;

 private:
  Result<Bytes> start();
  Bytes decode(Bytes bytes, bool last);

  ByteSource& inner_;
  bool started_ = false;
  bool done_ = false;
  TextEncoding encoding_ = TextEncoding::utf8;
  std::string raw_;      ///< bytes of a character that the next chunk completes
  std::string decoded_;  ///< what the last next() gave out
};

}  // namespace hprof::formats
