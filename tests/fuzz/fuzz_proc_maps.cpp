// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/bytes.h>
#include <hprof/core/target/proc_maps.h>
#include <hprof/core/target/process_info.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hprof::as_text(std::as_bytes(std::span{data, size}));
  for (const hprof::MapsEntry& entry : hprof::parse_maps(text)) {
    if (entry.start >= entry.end || entry.path.size() > size) __builtin_trap();
  }
  hprof::ProcessInfo info;
  static_cast<void>(hprof::parse_stat(text, info));
  return 0;
}
