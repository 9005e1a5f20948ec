// SPDX-License-Identifier: Apache-2.0
// Any bytes through every JSON reader.
#include "formats/json_readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace f = hprof::formats;
  for (auto* read : {f::read_speedscope, f::read_cpuprofile, f::read_heapprofile,
                     f::read_chrome_trace, f::read_firefox}) {
    hprof::MemorySource source{std::as_bytes(std::span{data, size})};
    static_cast<void>(read(source, {}).has_value());
  }
  return 0;
}
