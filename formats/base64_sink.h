// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <string>

namespace hprof::formats {

/// Passes bytes on as base64 (RFC 4648, padded). finish() must follow the last write.
class Base64Sink final : public ByteSink {
 public:
  explicit Base64Sink(ByteSink& sink) : sink_(sink) {}
  using ByteSink::write;
  Result<void> write(Bytes bytes) override;
  Result<void> finish();

 private:
  void put(std::uint32_t bits, int characters);

  ByteSink& sink_;
  std::string text_;
  std::uint32_t bits_ = 0;
  int byte_count_ = 0;  ///< of bits_
};

}  // namespace hprof::formats
