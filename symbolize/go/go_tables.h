// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"
#include "symbolize/go/pclntab.h"

#include <cstdint>

namespace hprof::symbolize {

/// A pclntab and where it was found. Lifetime: borrows the image's bytes.
struct GoTables {
  Pclntab table;
  std::uint64_t table_vaddr = 0;
  std::uint64_t moduledata_vaddr = 0;  ///< linked address of runtime.firstmoduledata, 0 if unknown
};

/// Finds the Go function table of an image: by section name, else by its magic, with the text
/// start taken from moduledata (relocations included), the table's header, or the .text section.
/// Errors: unsupported if this is no Go program, malformed_input if its table makes no sense.
Result<GoTables> find_go_tables(const ElfImage& image);

}  // namespace hprof::symbolize
