// SPDX-License-Identifier: Apache-2.0
// Bytes as a Go function table and as an ELF image that may hold one: every lookup there is.
#include "symbolize/go/go_tables.h"

#include <tuple>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)

namespace {

void use(const Pclntab& table) {
  for (std::uint32_t i = 0; i < table.function_count() && i < 64; ++i) {
    const auto listed = table.function(i);
    if (!listed) continue;
    const auto found = table.find(listed->entry);
    if (!found) continue;
    std::ignore = table.name(*found);
    std::ignore = table.file(*found, 0);
    std::ignore = table.pc_value(*found, found->pcsp, found->entry);
    std::ignore = table.pc_value(*found, found->pcln, found->end - 1);
    std::ignore = table.pc_value(*found, table.pcdata(*found, 2), found->entry);
    std::ignore = table.funcdata(*found, 3);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes = std::as_bytes(std::span{data, size});
  if (const auto table = Pclntab::parse(bytes, 0x400000)) use(*table);
  if (const auto image = ElfImage::parse(bytes)) {
    if (const auto tables = find_go_tables(*image)) use(tables->table);
  }
  return 0;
}
