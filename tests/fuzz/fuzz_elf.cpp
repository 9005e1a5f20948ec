// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf/decompress.h"
#include "symbolize/elf/symbol_index.h"

using namespace hprof;
using namespace hprof::symbolize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto image = ElfImage::parse(std::as_bytes(std::span{data, size}));
  if (!image) return 0;
  const SymbolIndex index = SymbolIndex::build(*image, nullptr);
  std::size_t found = index.find(image->entry()) != nullptr ? 1 : 0;
  for (const ElfSection& section : image->sections()) {
    if (index.find(section.address) != nullptr) ++found;
    if (read_section(*image, section.name).has_value()) ++found;
  }
  if (image->address_of_offset(size / 2)) ++found;
  if (found + image->build_id().size() > size + 1000) __builtin_trap();
  return 0;
}
