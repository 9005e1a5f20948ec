// SPDX-License-Identifier: Apache-2.0
#include "base64_sink.h"

namespace hprof::formats {

void Base64Sink::put(std::uint32_t bits, int characters) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < characters; ++i) text_.push_back(kAlphabet[(bits >> (18 - 6 * i)) & 63]);
}

Result<void> Base64Sink::write(Bytes bytes) {
  for (const std::byte byte : bytes) {
    bits_ = (bits_ << 8) | static_cast<std::uint32_t>(byte);
    if (++byte_count_ == 3) {
      put(bits_, 4);
      bits_ = 0;
      byte_count_ = 0;
    }
  }
  HPROF_TRY(sink_.write(std::string_view{text_}));
  text_.clear();
  return {};
}

Result<void> Base64Sink::finish() {
  if (byte_count_ > 0) {
    put(bits_ << (8 * (3 - byte_count_)), byte_count_ + 1);
    text_.append(static_cast<std::size_t>(3 - byte_count_), '=');
  }
  byte_count_ = 0;
  return sink_.write(std::string_view{text_});
}

}  // namespace hprof::formats
