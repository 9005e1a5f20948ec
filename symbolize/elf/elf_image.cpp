// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf/elf_image.h"

#include <elf.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

// A program with -ffunction-sections and COMDAT groups has some 100,000; beyond is nonsense.
constexpr std::uint64_t kMaxHeaders = 1 << 20;

Error not_elf(std::string_view why) {
  return {.kind = ErrorKind::malformed_input,
          .message = std::string("not an ELF file: ").append(why),
          .hint = {}};
}

// Notes: {namesz u32, descsz u32, type u32, name padded to 4, desc padded to 4}
Bytes find_note(ByteReader reader, std::string_view owner, std::uint32_t note_type) {
  while (reader.ok() && reader.remaining() >= 12) {
    const std::uint32_t name_size = reader.u32();
    const std::uint32_t desc_size = reader.u32();
    const std::uint32_t type = reader.u32();
    const auto padding = [](std::uint32_t n) { return std::uint64_t{(4 - n % 4) % 4}; };
    std::string_view name = as_text(reader.take(name_size));
    reader.skip(std::min<std::uint64_t>(padding(name_size), reader.remaining()));
    const Bytes desc = reader.take(desc_size);
    reader.skip(std::min<std::uint64_t>(padding(desc_size), reader.remaining()));
    while (name.ends_with('\0')) name.remove_suffix(1);
    if (reader.ok() && type == note_type && name == owner) return desc;
  }
  return {};
}

}  // namespace

struct ElfImage::Header {
  std::uint64_t program_offset = 0;
  std::uint64_t section_offset = 0;
  std::uint16_t program_size = 0;
  std::uint64_t program_count = 0;
  std::uint16_t section_size = 0;
  std::uint64_t section_count = 0;
  std::uint32_t names_index = 0;
};

std::string to_hex(Bytes bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::byte b : bytes) {
    out += kDigits[static_cast<unsigned>(b) >> 4];
    out += kDigits[static_cast<unsigned>(b) & 15];
  }
  return out;
}

// e_ident {magic 4, class u8, data u8, version u8, pad to 16}, type u16, machine u16, version u32,
// entry, phoff, shoff (words of the class), flags u32, ehsize, phentsize, phnum, shentsize, shnum,
// shstrndx u16
Result<ElfImage> ElfImage::parse(Bytes bytes) {
  if (bytes.size() < EI_NIDENT) return not_elf("too short");
  const std::string_view ident = as_text(bytes.first(EI_NIDENT));
  if (!ident.starts_with("\x7f"
                         "ELF"))
    return not_elf("wrong magic");
  if (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32)
    return not_elf("unknown class");
  if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
    return not_elf("unknown byte order");
  ElfImage image;
  image.bytes_ = bytes;
  image.is_64_ = ident[EI_CLASS] == ELFCLASS64;
  image.order_ = ident[EI_DATA] == ELFDATA2LSB ? std::endian::little : std::endian::big;

  ByteReader reader = image.reader(bytes);
  const auto word = [&] { return image.is_64_ ? reader.u64() : reader.u32(); };
  Header header;
  reader.skip(EI_NIDENT);
  image.type_ = reader.u16();
  image.machine_ = reader.u16();
  reader.skip(4);
  image.entry_ = word();
  header.program_offset = word();
  header.section_offset = word();
  reader.skip(6);
  header.program_size = reader.u16();
  header.program_count = reader.u16();
  header.section_size = reader.u16();
  header.section_count = reader.u16();
  header.names_index = reader.u16();
  if (!reader.ok()) return not_elf("header cut off");
  image.read_sections(header);
  image.read_segments(header);
  return image;
}

namespace {

// 64: name u32, type u32, flags, addr, offset, size u64, link u32, info u32, align, entsize u64
ElfSection read_section(ByteReader reader, bool is_64, std::uint32_t& name) {
  const auto word = [&] { return is_64 ? reader.u64() : reader.u32(); };
  ElfSection s;
  name = reader.u32();
  s.type = reader.u32();
  s.flags = word();
  s.address = word();
  s.offset = word();
  s.size = word();
  s.link = reader.u32();
  s.info = reader.u32();
  word();
  s.entry_size = word();
  return s;
}

}  // namespace

void ElfImage::read_sections(const Header& header) {
  const std::uint64_t entry = header.section_size;
  if (header.section_offset == 0 || entry < (is_64_ ? 64 : 40)) return;
  std::uint64_t count = header.section_count;
  std::uint32_t names = header.names_index;
  std::uint32_t name = 0;
  const Bytes first = slice(header.section_offset, entry);
  if (first.empty()) return;
  const ElfSection zero = read_section(reader(first), is_64_, name);
  if (count == 0) count = zero.size;  // more than 0xff00 sections
  if (names == SHN_XINDEX) names = zero.link;
  if (count > kMaxHeaders || count > (bytes_.size() - header.section_offset) / entry) return;
  std::vector<std::uint32_t> name_offsets(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Bytes raw = slice(header.section_offset + i * entry, entry);
    sections_.push_back(read_section(reader(raw), is_64_, name_offsets[i]));
  }
  if (names >= count) return;
  const Bytes strings = section_bytes(sections_[names]);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (name_offsets[i] >= strings.size()) continue;
    sections_[i].name = reader(strings.subspan(name_offsets[i])).c_string();
  }
}

// 64: type u32, flags u32, offset, vaddr, paddr, filesz, memsz, align u64
// 32: type, offset, vaddr, paddr, filesz, memsz, flags, align u32
void ElfImage::read_segments(const Header& header) {
  const std::uint64_t entry = header.program_size;
  std::uint64_t count = header.program_count;
  if (count == PN_XNUM && !sections_.empty()) count = sections_.front().info;
  if (header.program_offset == 0 || entry < (is_64_ ? 56 : 32) || count > kMaxHeaders) return;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Bytes raw = slice(header.program_offset + i * entry, entry);
    if (raw.empty()) return;
    ByteReader r = reader(raw);
    const auto word = [&] { return is_64_ ? r.u64() : r.u32(); };
    ElfSegment s;
    s.type = r.u32();
    if (is_64_) s.flags = r.u32();
    s.offset = word();
    s.address = word();
    word();
    s.file_size = word();
    s.memory_size = word();
    if (!is_64_) s.flags = r.u32();
    segments_.push_back(s);
  }
}

Bytes ElfImage::slice(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
  return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

const ElfSection* ElfImage::find_section(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &ElfSection::name);
  return found == sections_.end() ? nullptr : &*found;
}

Bytes ElfImage::section_bytes(const ElfSection& section) const {
  return section.type == SHT_NOBITS ? Bytes{} : slice(section.offset, section.size);
}

Bytes ElfImage::section_bytes(std::string_view name) const {
  const ElfSection* section = find_section(name);
  return section == nullptr ? Bytes{} : section_bytes(*section);
}

std::optional<std::uint64_t> ElfImage::address_of_offset(std::uint64_t offset) const {
  const ElfSegment* best = nullptr;
  for (const ElfSegment& s : segments_) {
    if (s.type != PT_LOAD || offset < s.offset || offset - s.offset >= s.file_size) continue;
    if (best == nullptr || ((best->flags & PF_X) == 0 && (s.flags & PF_X) != 0)) best = &s;
  }
  if (best == nullptr) return std::nullopt;
  return offset - best->offset + best->address;
}

std::optional<std::uint64_t> ElfImage::offset_of_address(std::uint64_t address) const {
  for (const ElfSegment& s : segments_) {
    if (s.type == PT_LOAD && address >= s.address && address - s.address < s.file_size) {
      return address - s.address + s.offset;
    }
  }
  return std::nullopt;
}

Bytes ElfImage::bytes_at_address(std::uint64_t address) const {
  for (const ElfSegment& s : segments_) {
    if (s.type != PT_LOAD || address < s.address || address - s.address >= s.file_size) continue;
    const std::uint64_t skip = address - s.address;
    if (s.offset > bytes_.size() || skip > bytes_.size() - s.offset) return {};
    const std::uint64_t left = bytes_.size() - s.offset - skip;
    return slice(s.offset + skip, std::min(s.file_size - skip, left));
  }
  return {};
}

Bytes ElfImage::note(std::string_view owner, std::uint32_t note_type) const {
  for (const ElfSection& s : sections_) {
    if (s.type != SHT_NOTE) continue;
    const Bytes found = find_note(reader(section_bytes(s)), owner, note_type);
    if (!found.empty()) return found;
  }
  for (const ElfSegment& s : segments_) {
    if (s.type != PT_NOTE) continue;
    const Bytes found = find_note(reader(slice(s.offset, s.file_size)), owner, note_type);
    if (!found.empty()) return found;
  }
  return {};
}

std::string ElfImage::build_id() const {
  return to_hex(note("GNU", NT_GNU_BUILD_ID));
}

}  // namespace hprof::symbolize
