// SPDX-License-Identifier: Apache-2.0
#include "formats/otlp_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hprof::MemorySource source{std::as_bytes(std::span{data, size})};
  static_cast<void>(hprof::formats::read_otlp(source, {}).has_value());
  return 0;
}
