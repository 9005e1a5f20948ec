// SPDX-License-Identifier: Apache-2.0
#include "core/capture/perf_record.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hprof::Bytes rest = std::as_bytes(std::span{data, size});
  while (rest.size() >= 8) {
    const auto claimed = hprof::load<std::uint16_t>(rest, 6);
    const hprof::Bytes record = rest.first(std::clamp<std::size_t>(claimed, 8, rest.size()));
    hprof::perf_record_time(record);
    const hprof::PerfRecord decoded = hprof::decode_perf_record(record, (claimed & 1) == 0);
    if (const auto* sample = std::get_if<hprof::SampleRecord>(&decoded)) {
      for (std::size_t i = 0; i < sample->kernel.size(); ++i) {
        if (sample->kernel[i] >= ~std::uint64_t{4094}) __builtin_trap();
      }
    }
    rest = rest.subspan(record.size());
  }
  return 0;
}
