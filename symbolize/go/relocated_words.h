// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"

#include <elf.h>

namespace hprof::symbolize {

/// Words of an image as they are once relative relocations were applied.
/// Lifetime: borrows the image.
class RelocatedWords {
 public:
  explicit RelocatedWords(const ElfImage& image) : image_(image) { find_relocations(); }

  [[nodiscard]] std::uint64_t word(std::uint64_t vaddr) const;

  /// Calls `visit` for each relative relocation until it returns false.
  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= relocations_.size();
         at += sizeof(Elf64_Rela)) {
      const auto one = load<Elf64_Rela>(relocations_, at);
      const auto type = ELF64_R_TYPE(one.r_info);
      if (type != R_X86_64_RELATIVE && type != R_AARCH64_RELATIVE) continue;
      if (!visit(one)) return;
    }
  }

 private:
  void find_relocations();

  const ElfImage& image_;
  Bytes relocations_;
};

}  // namespace hprof::symbolize
