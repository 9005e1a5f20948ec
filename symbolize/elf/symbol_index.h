// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"
#include "symbolize/interval_map.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::symbolize {

/// A function's code by a symbol table: [start, end).
struct CodeSymbol {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::string_view name;
};

/// Which function an address belongs to, by the symbol tables of one ELF file and its separate
/// debug file. An address outside every symbol has no name: never the nearest one before it.
/// Lifetime: names borrow the images' bytes, or the index itself.
class SymbolIndex {
 public:
  /// Takes the symbols of .symtab and .dynsym, of .gnu_debugdata (mini debug info), and of the PLT
  /// as `name@plt`. `debug` is the separate debug file, or null. Broken tables yield fewer symbols.
  static SymbolIndex build(const ElfImage& image, const ElfImage* debug);

  /// The symbol whose code holds `address`, or nullptr. `start`: of the whole symbol, even where
  /// another one is nested in it.
  [[nodiscard]] const CodeSymbol* find(std::uint64_t address) const;
  /// All symbols, sorted by start, one for each start.
  [[nodiscard]] const std::vector<CodeSymbol>& symbols() const { return symbols_; }
  /// True if there is more than what dynamic linking needs: .symtab or mini debug info.
  [[nodiscard]] bool has_full_table() const { return has_full_table_; }

 private:
  std::vector<CodeSymbol> symbols_;
  IntervalMap by_address_;
  bool has_full_table_ = false;
  std::vector<std::byte> mini_debug_info_;
  std::vector<std::unique_ptr<std::string>> made_names_;
};

}  // namespace hprof::symbolize
