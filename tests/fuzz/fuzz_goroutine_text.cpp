// SPDX-License-Identifier: Apache-2.0
#include "formats/goroutine_text.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hprof::MemorySource source{std::as_bytes(std::span{data, size}), 64};
  static_cast<void>(hprof::formats::read_goroutine_text(source, {}));
  return 0;
}
