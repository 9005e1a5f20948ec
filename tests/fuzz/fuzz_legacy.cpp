// SPDX-License-Identifier: Apache-2.0
#include "formats/legacy_readers.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hprof::formats;
  for (auto* read : {read_legacy_heap, read_legacy_contention, read_legacy_threads, read_go_count,
                     read_gperftools_cpu, read_jemalloc_heap}) {
    hprof::MemorySource source{std::as_bytes(std::span{data, size})};
    static_cast<void>(read(source, {}));
  }
  return 0;
}
