// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf/symbol_table.h"

#include <elf.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

// 64: name u32, info u8, other u8, shndx u16, value u64, size u64
// 32: name u32, value u32, size u32, info u8, other u8, shndx u16
ElfSymbol read_symbol(ByteReader r, bool is_64, Bytes strings) {
  ElfSymbol s;
  const std::uint32_t name = r.u32();
  if (!is_64) {
    s.value = r.u32();
    s.size = r.u32();
  }
  const std::uint8_t info = r.u8();
  r.skip(1);
  s.section = r.u16();
  if (is_64) {
    s.value = r.u64();
    s.size = r.u64();
  }
  s.type = info & 15;
  s.binding = info >> 4;
  if (name < strings.size()) s.name = ByteReader{strings.subspan(name)}.c_string();
  return s;
}

std::vector<ElfSymbol> read_rows(const ElfImage& image, Bytes rows, Bytes strings) {
  const std::size_t row = image.is_64() ? 24 : 16;
  std::vector<ElfSymbol> out;
  out.reserve(rows.size() / row);
  for (std::size_t at = 0; rows.size() - at >= row; at += row) {
    out.push_back(read_symbol(image.reader(rows.subspan(at, row)), image.is_64(), strings));
  }
  return out;
}

struct DynamicTable {
  std::uint64_t symbols = 0;
  std::uint64_t strings = 0;
  std::uint64_t strings_size = 0;
  std::uint64_t gnu_hash = 0;
  std::uint64_t hash = 0;
};

DynamicTable read_dynamic(const ElfImage& image) {
  DynamicTable table;
  for (const ElfSegment& s : image.segments()) {
    if (s.type != PT_DYNAMIC) continue;
    ByteReader r = image.reader(image.bytes_at_address(s.address));
    const auto word = [&] { return image.is_64() ? r.u64() : r.u32(); };
    while (r.ok()) {
      const std::uint64_t tag = word();
      const std::uint64_t value = word();
      if (tag == DT_NULL) break;
      if (tag == DT_SYMTAB) table.symbols = value;
      if (tag == DT_STRTAB) table.strings = value;
      if (tag == DT_STRSZ) table.strings_size = value;
      if (tag == DT_GNU_HASH) table.gnu_hash = value;
      if (tag == DT_HASH) table.hash = value;
    }
  }
  return table;
}

// DT_HASH: nbucket u32, nchain u32 (= the count of symbols), ...
// DT_GNU_HASH: nbuckets u32, symoffset u32, bloom_size u32, bloom_shift u32, bloom words,
// buckets u32[nbuckets], chains u32[]: the last of each chain has bit 0 set.
std::uint64_t count_symbols(const ElfImage& image, const DynamicTable& table) {
  if (table.hash != 0) {
    ByteReader r = image.reader(image.bytes_at_address(table.hash));
    r.skip(4);
    return r.u32();
  }
  if (table.gnu_hash == 0) return 0;
  const Bytes bytes = image.bytes_at_address(table.gnu_hash);
  ByteReader r = image.reader(bytes);
  const std::uint32_t buckets = r.u32();
  const std::uint32_t first = r.u32();
  const std::uint32_t bloom = r.u32();
  r.skip(4);
  r.skip(std::uint64_t{bloom} * (image.is_64() ? 8 : 4));
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets && r.ok(); ++i) last = std::max(last, r.u32());
  if (!r.ok() || last < first) return first;
  r.skip(std::uint64_t{last - first} * 4);
  while (r.ok()) {
    ++last;
    if ((r.u32() & 1) != 0) break;
  }
  return last;
}

}  // namespace

std::vector<ElfSymbol> read_symbols(const ElfImage& image, const ElfSection& section) {
  if (section.link >= image.sections().size()) return {};
  return read_rows(image, image.section_bytes(section),
                   image.section_bytes(image.sections()[section.link]));
}

std::vector<ElfSymbol> read_dynamic_symbols(const ElfImage& image) {
  const DynamicTable table = read_dynamic(image);
  if (table.symbols == 0 || table.strings == 0) return {};
  const std::uint64_t row = image.is_64() ? 24 : 16;
  const Bytes rows = image.bytes_at_address(table.symbols);
  const Bytes strings = image.bytes_at_address(table.strings);
  const std::uint64_t count =
      std::min<std::uint64_t>(count_symbols(image, table), rows.size() / row);
  return read_rows(image, rows.first(static_cast<std::size_t>(count * row)),
                   strings.first(std::min<std::uint64_t>(table.strings_size, strings.size())));
}

bool may_name_code(const ElfImage& image, const ElfSymbol& symbol) {
  if (symbol.name.empty() || symbol.section == SHN_UNDEF || symbol.section == SHN_ABS ||
      symbol.section == SHN_COMMON || symbol.value == 0) {
    return false;
  }
  // Go's linker makes functions of its marks.
  if (symbol.name == "runtime.etext" || symbol.name == "runtime.text") return false;
  if (symbol.type == STT_FUNC || symbol.type == STT_GNU_IFUNC) return true;
  if (symbol.type != STT_NOTYPE) return false;
  // Labels: hand-written assembly without .type. Not the marks "$x" of ARM mapping symbols, nor
  // local labels, nor what linkers put at section ends (_etext).
  if (symbol.name.front() == '$' || symbol.name.starts_with(".L") || symbol.name == "_etext" ||
      symbol.name == "etext" || symbol.name == "__etext") {
    return false;
  }
  if (image.sections().empty()) return false;
  if (symbol.section >= image.sections().size()) return false;
  const ElfSection& section = image.sections()[symbol.section];
  return (section.flags & SHF_EXECINSTR) != 0 && symbol.value >= section.address &&
         symbol.value - section.address < section.size;
}

}  // namespace hprof::symbolize
