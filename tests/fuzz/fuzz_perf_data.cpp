// SPDX-License-Identifier: Apache-2.0
#include "formats/perf_data.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool recover : {false, true}) {
    hprof::MemorySource source{std::as_bytes(std::span{data, size}), 64};
    static_cast<void>(hprof::formats::read_perf_data(source, {.recover = recover}));
  }
  return 0;
}
