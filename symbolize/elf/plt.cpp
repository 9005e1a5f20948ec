// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf/plt.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>

namespace hprof::symbolize {
namespace {

struct Relocation {
  std::uint64_t slot = 0;
  std::string_view name;
};

// Elf64_Rela: offset u64, info u64 (symbol << 32 | type), addend i64
void read_relocations(const ElfImage& image, const ElfSection& section,
                      const std::vector<ElfSymbol>& code, std::vector<Relocation>& out) {
  if (section.type != SHT_RELA || !image.is_64()) return;
  std::vector<ElfSymbol> symbols;
  if (section.link != 0 && section.link < image.sections().size()) {
    symbols = read_symbols(image, image.sections()[section.link]);
  }
  std::map<std::uint64_t, std::string_view> resolvers;
  for (const ElfSymbol& s : code) {
    if (s.type == STT_GNU_IFUNC) resolvers.emplace(s.value, s.name);
  }
  ByteReader r = image.reader(image.section_bytes(section));
  while (r.remaining() >= 24) {
    const std::uint64_t slot = r.u64();
    const std::uint64_t info = r.u64();
    const std::uint64_t addend = r.u64();
    const std::uint64_t symbol = info >> 32;
    std::string_view name;
    if (symbol != 0 && symbol < symbols.size()) name = symbols[symbol].name;
    if (symbol == 0) {  // IRELATIVE: the addend is the resolver
      const auto found = resolvers.find(addend);
      if (found != resolvers.end()) name = found->second;
    }
    out.push_back({slot, name});
  }
}

struct PltReader {
  const ElfImage& image;
  std::vector<Relocation> ordered;  // .rela.plt, in order
  std::map<std::uint64_t, std::string_view> by_slot;
  std::vector<PltEntry> out;

  void add(std::uint64_t start, std::uint64_t size, std::string_view name) {
    if (!name.empty()) out.push_back({start, start + size, name});
  }

  // ff 25 rel32: jmp *slot(%rip), after endbr64 or a bnd prefix perhaps; 68 imm32: push its number
  [[nodiscard]] std::string_view x86_target(Bytes entry, std::uint64_t address) const {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(entry[i]); };
    for (std::size_t i = 0; i + 6 <= entry.size(); ++i) {
      if (byte(i) != 0xff || byte(i + 1) != 0x25) continue;
      const auto offset = load<std::int32_t>(entry, i + 2);
      const auto found =
          by_slot.find(address + i + 6 + static_cast<std::uint64_t>(std::int64_t{offset}));
      return found == by_slot.end() ? std::string_view{} : found->second;
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{4}}) {
      if (i + 5 > entry.size() || byte(i) != 0x68) continue;
      const auto number = load<std::uint32_t>(entry, i + 1);
      if (number < ordered.size()) return ordered[number].name;
    }
    return {};
  }

  void read_x86(const ElfSection& section) {
    const Bytes bytes = image.section_bytes(section);
    const bool small = section.name == ".plt.got" && section.entry_size != 16;
    const std::size_t step = small ? 8 : 16;
    for (std::size_t at = 0; bytes.size() - at >= step; at += step) {
      const std::uint64_t address = section.address + at;
      add(address, step, x86_target(bytes.subspan(at, step), address));
    }
  }

  // .plt: a header of 32 bytes, then 16 for each row of .rela.plt (24 with BTI and PAC: skipped)
  void read_arm64(const ElfSection& section) {
    if (section.name != ".plt" || section.size != 32 + ordered.size() * 16) return;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      add(section.address + 32 + i * 16, 16, ordered[i].name);
    }
  }
};

}  // namespace

std::vector<PltEntry> read_plt(const ElfImage& image, const std::vector<ElfSymbol>& code) {
  PltReader reader{image, {}, {}, {}};
  for (const ElfSection& s : image.sections()) {
    if (s.name == ".rela.plt") read_relocations(image, s, code, reader.ordered);
  }
  std::vector<Relocation> all = reader.ordered;
  for (const ElfSection& s : image.sections()) {
    const bool needed = s.name == ".rela.dyn" && image.find_section(".plt.got") != nullptr;
    if (needed) read_relocations(image, s, code, all);
  }
  for (const Relocation& r : all) {
    if (!r.name.empty()) reader.by_slot.emplace(r.slot, r.name);
  }
  for (const ElfSection& s : image.sections()) {
    if (s.name != ".plt" && s.name != ".plt.sec" && s.name != ".plt.got") continue;
    if (image.machine() == EM_X86_64) reader.read_x86(s);
    if (image.machine() == EM_AARCH64) reader.read_arm64(s);
  }
  return std::move(reader.out);
}

}  // namespace hprof::symbolize
