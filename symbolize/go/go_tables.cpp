// SPDX-License-Identifier: Apache-2.0
#include "symbolize/go/go_tables.h"

#include "symbolize/go/relocated_words.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace hprof::symbolize {
namespace {

struct Place {
  Bytes bytes;
  std::uint64_t vaddr = 0;
};

/// moduledata as far as it matters here: its place and what it says about the text.
struct ModuleData {
  std::uint64_t vaddr = 0;
  std::uint64_t text = 0;
};

bool is_go(const ElfImage& image) {
  constexpr std::uint32_t kGoBuildId = 4;
  return !image.note("Go", kGoBuildId).empty() || image.find_section(".go.buildinfo") != nullptr ||
         image.sections().empty();
}

std::optional<Place> place_by_section(const ElfImage& image) {
  for (const std::string_view name : {".gopclntab", ".data.rel.ro.gopclntab"}) {
    const ElfSection* section = image.find_section(name);
    if (section == nullptr) continue;
    const Bytes bytes = image.section_bytes(*section);
    if (Pclntab::looks_like(bytes)) return Place{bytes, section->address};
  }
  return std::nullopt;
}

// Stripped of its section headers, or linked by a foreign linker into another section: the magic
// at an 8-byte step in data, believed only when the table's order holds.
std::optional<Place> place_by_magic(const ElfImage& image) {
  for (const ElfSegment& segment : image.segments()) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) != 0) continue;
    const Bytes bytes = image.bytes_at_address(segment.address);
    for (std::size_t at = (8 - segment.address % 8) % 8; at + 64 <= bytes.size(); at += 8) {
      const Bytes tail = bytes.subspan(at);
      if (load<std::uint8_t>(tail, 1) != 0xff || !Pclntab::looks_like(tail)) continue;
      if (Pclntab::parse(tail, 1).has_value()) return Place{tail, segment.address + at};
    }
  }
  return std::nullopt;
}

constexpr std::uint64_t text_offset(PclntabLayout layout) {
  return layout == PclntabLayout::go1_2 ? 96 : 176;
}

bool in_text(const ElfImage& image, std::uint64_t vaddr) {
  return std::ranges::any_of(image.segments(), [vaddr](const ElfSegment& one) {
    return one.type == PT_LOAD && (one.flags & PF_X) != 0 && vaddr >= one.address &&
           vaddr - one.address < one.memory_size;
  });
}

// The first word of moduledata is the table's address (its slice before 1.16).
std::optional<ModuleData> moduledata(const ElfImage& image, std::uint64_t table_vaddr,
                                     PclntabLayout layout) {
  const RelocatedWords words{image};
  const auto accept = [&](std::uint64_t at) -> std::optional<ModuleData> {
    const std::uint64_t text = words.word(at + text_offset(layout));
    const std::uint64_t etext = words.word(at + text_offset(layout) + 8);
    if (text >= etext || !in_text(image, text) || !in_text(image, etext - 1)) return std::nullopt;
    return ModuleData{at, text};
  };
  for (const ElfSegment& segment : image.segments()) {
    if (segment.type != PT_LOAD || (segment.flags & PF_W) == 0) continue;
    const Bytes bytes = image.bytes_at_address(segment.address);
    for (std::size_t at = (8 - segment.address % 8) % 8; at + 8 <= bytes.size(); at += 8) {
      if (load<std::uint64_t>(bytes, at) != table_vaddr) continue;
      if (auto found = accept(segment.address + at)) return found;
    }
  }
  std::optional<ModuleData> found;
  std::size_t tries = 0;
  words.each([&](const Elf64_Rela& one) {
    if (static_cast<std::uint64_t>(one.r_addend) != table_vaddr) return true;
    found = accept(one.r_offset);
    return !found && ++tries < 64;  // each try walks the relocations again
  });
  return found;
}

}  // namespace

Result<GoTables> find_go_tables(const ElfImage& image) {
  std::optional<Place> place = place_by_section(image);
  if (!place && is_go(image)) place = place_by_magic(image);
  if (!place) return Error{ErrorKind::unsupported, "no Go function table", {}};
  HPROF_ASSIGN(Pclntab first, Pclntab::parse(place->bytes, 0));
  const std::optional<ModuleData> data = moduledata(image, place->vaddr, first.layout());
  std::uint64_t text = data ? data->text : first.text_start();
  const ElfSection* section = image.find_section(".text");
  if (text == 0 && first.layout() >= PclntabLayout::go1_18 && section != nullptr) {
    text = section->address;
  }
  HPROF_ASSIGN(Pclntab table, Pclntab::parse(place->bytes, text));
  if (!in_text(image, table.text_end() - 1)) {
    return Error{ErrorKind::malformed_input, "pclntab: its functions lie outside the code", {}};
  }
  return GoTables{std::move(table), place->vaddr, data ? data->vaddr : 0};
}

}  // namespace hprof::symbolize
