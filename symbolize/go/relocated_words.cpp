// SPDX-License-Identifier: Apache-2.0
#include "symbolize/go/relocated_words.h"

#include <algorithm>

namespace hprof::symbolize {

std::uint64_t RelocatedWords::word(std::uint64_t vaddr) const {
  const auto in_place = load<std::uint64_t>(image_.bytes_at_address(vaddr), 0);
  if (in_place != 0) return in_place;
  std::uint64_t found = 0;
  each([&](const Elf64_Rela& one) {
    if (one.r_offset == vaddr) found = static_cast<std::uint64_t>(one.r_addend);
    return found == 0;
  });
  return found;
}

void RelocatedWords::find_relocations() {
  const auto dynamic =
      std::ranges::find(image_.segments(), std::uint32_t{PT_DYNAMIC}, &ElfSegment::type);
  if (dynamic == image_.segments().end()) return;
  const Bytes bytes = image_.bytes_at_address(dynamic->address);
  std::uint64_t vaddr = 0;
  std::uint64_t size = 0;
  constexpr std::size_t kMaxTags = 1000;
  for (std::size_t i = 0; i < kMaxTags && (i + 1) * sizeof(Elf64_Dyn) <= bytes.size(); ++i) {
    const auto entry = load<Elf64_Dyn>(bytes, i * sizeof(Elf64_Dyn));
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_RELA) vaddr = entry.d_un.d_ptr;
    if (entry.d_tag == DT_RELASZ) size = entry.d_un.d_val;
  }
  relocations_ = image_.bytes_at_address(vaddr);
  relocations_ = relocations_.first(
      static_cast<std::size_t>(std::min<std::uint64_t>(size, relocations_.size())));
}

}  // namespace hprof::symbolize
