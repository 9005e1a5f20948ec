// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hprof::symbolize {

/// One row of a symbol table, as it stands there. Source: gABI "Symbol Table".
struct ElfSymbol {
  std::string_view name;
  std::uint8_t type = 0;     ///< STT_*
  std::uint8_t binding = 0;  ///< STB_*
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

/// All rows of the table in `section` (SHT_SYMTAB or SHT_DYNSYM), row 0 too. Broken names are
/// empty.
std::vector<ElfSymbol> read_symbols(const ElfImage& image, const ElfSection& section);

/// The dynamic symbols by PT_DYNAMIC alone, for a file whose section headers were cut off.
std::vector<ElfSymbol> read_dynamic_symbols(const ElfImage& image);

/// True if the row may name code: a defined function, IFUNC, or label in an executable section.
bool may_name_code(const ElfImage& image, const ElfSymbol& symbol);

}  // namespace hprof::symbolize
