// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit/jitdump.h"

#include <vector>

using namespace hprof;
using namespace hprof::symbolize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint64_t> addresses{0, 0x1000, 0x1008, 0x2000, 0x5010, ~std::uint64_t{0}};
  std::vector<Frames> out(addresses.size());
  name_by_jitdump(std::as_bytes(std::span{data, size}), addresses, out);
  return 0;
}
