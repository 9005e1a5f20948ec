// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/symbol_table.h"

#include <string>
#include <vector>

namespace hprof::symbolize {

struct PltEntry {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::string_view name;  ///< of the function it jumps to
};

/// The entries of .plt, .plt.sec and .plt.got whose target is known. On x86-64 the jump itself is
/// read, so every linker's layout fits; on arm64 the order of .rela.plt. `code`: symbols that name
/// the resolvers of IFUNCs in static programs. Lifetime: names borrow the image's bytes.
std::vector<PltEntry> read_plt(const ElfImage& image, const std::vector<ElfSymbol>& code);

}  // namespace hprof::symbolize
