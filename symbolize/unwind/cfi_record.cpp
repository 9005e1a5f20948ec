// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/cfi_record.h"

namespace hprof::symbolize {
namespace {

PointerBases bases_of(const CfiSection& section, std::uint64_t function = 0) {
  return {section.vaddr, section.text, section.data, function};
}

// A reader whose positions are section offsets and that cannot leave the entry.
ByteReader reader_of(const CfiSection& section, const CfiEntry& entry) {
  ByteReader reader{section.bytes.first(static_cast<std::size_t>(entry.next))};
  reader.seek(entry.body);
  return reader;
}

// Letters behind 'z'; the first unknown one ends it, the size says where the data end.
// B and G (pointer authentication, memory tags) change nothing here.
void read_augmentation(ByteReader& reader, std::string_view letters, const CfiSection& section,
                       Cie& cie) {
  for (const char letter : letters) {
    if (letter == 'R') {
      cie.pointer_encoding = reader.u8();
    } else if (letter == 'L') {
      reader.u8();
    } else if (letter == 'P') {
      const std::uint8_t encoding = reader.u8();
      if (!read_encoded_pointer(reader, encoding, bases_of(section)) &&
          encoding != kPointerOmitted) {
        return;
      }
    } else if (letter == 'S') {
      cie.signal_frame = true;
    } else if (letter != 'B' && letter != 'G') {
      return;
    }
  }
}

}  // namespace

// entry := length u32 (0xffffffff: then u64), id u32 (u64 in .debug_frame's 64-bit form), body
// id    := .eh_frame: 0 CIE, else distance back from the id to the CIE
//          .debug_frame: all ones CIE, else offset of the CIE
std::optional<CfiEntry> read_cfi_entry(const CfiSection& section, std::uint64_t offset) {
  ByteReader reader{section.bytes};
  reader.seek(offset);
  CfiEntry out;
  std::uint64_t length = reader.u32();
  if (length == 0xffffffff) {
    out.dwarf64 = true;
    length = reader.u64();
  }
  if (!reader.ok() || length > reader.remaining()) return std::nullopt;
  out.next = reader.position() + length;
  if (length == 0) return out;
  const std::uint64_t id_at = reader.position();
  const bool wide_id = out.dwarf64 && !section.eh;
  if (length < (wide_id ? 8U : 4U)) return std::nullopt;
  const std::uint64_t id = wide_id ? reader.u64() : reader.u32();
  out.body = reader.position();
  const std::uint64_t cie_id =
      section.eh ? 0 : (wide_id ? ~std::uint64_t{0} : std::uint64_t{0xffffffff});
  out.kind = id == cie_id ? CfiEntry::Kind::cie : CfiEntry::Kind::fde;
  if (out.kind == CfiEntry::Kind::cie) return out;
  if (section.eh ? id > id_at : id >= section.bytes.size()) return std::nullopt;
  out.cie_offset = section.eh ? id_at - id : id;
  return out;
}

// cie := version u8, augmentation text, [address size u8, segment size u8: version 4],
//   code alignment uleb, data alignment sleb, return register (u8 in version 1, else uleb),
//   ['z': uleb size, data], instructions
std::optional<Cie> read_cie(const CfiSection& section, std::uint64_t offset) {
  const auto entry = read_cfi_entry(section, offset);
  if (!entry || entry->kind != CfiEntry::Kind::cie) return std::nullopt;
  ByteReader reader = reader_of(section, *entry);
  Cie out;
  const std::uint8_t version = reader.u8();
  if (version != 1 && version != 3 && version != 4) return std::nullopt;
  std::string_view augmentation = reader.c_string();
  if (version == 4) {
    const std::uint8_t address_size = reader.u8();
    const std::uint8_t segment_size = reader.u8();
    if (address_size != 8 || segment_size != 0) return std::nullopt;
  }
  // GCC 2's "eh": a word that nobody needs any more.
  if (augmentation == "eh") {
    reader.skip(8);
    augmentation = {};
  }
  out.code_align = reader.uleb();
  out.data_align = reader.sleb();
  out.return_register = version == 1 ? reader.u8() : reader.uleb();
  if (augmentation.starts_with('z')) {
    out.has_augmentation_data = true;
    const std::uint64_t size = reader.uleb();
    if (size > reader.remaining()) return std::nullopt;
    const std::uint64_t end = reader.position() + size;
    read_augmentation(reader, augmentation.substr(1), section, out);
    reader.seek(end);
  } else {
    for (const char letter : augmentation) {
      if (letter != 'S' && letter != 'B') return std::nullopt;
      out.signal_frame = out.signal_frame || letter == 'S';
    }
  }
  if (!reader.ok()) return std::nullopt;
  out.instructions_at = reader.position();
  out.instructions = reader.take(reader.remaining());
  return out;
}

// fde := begin (encoded), size (same form, no base), ['z': uleb size, data], instructions
std::optional<Fde> read_fde(const CfiSection& section, const CfiEntry& entry, const Cie& cie) {
  if (entry.kind != CfiEntry::Kind::fde) return std::nullopt;
  ByteReader reader = reader_of(section, entry);
  const std::uint8_t encoding = section.eh ? cie.pointer_encoding : std::uint8_t{0};
  const auto begin = read_encoded_pointer(reader, encoding, bases_of(section));
  const auto size = read_encoded_pointer(reader, encoding & 0x0f, {});
  if (!begin || !size || *size == 0 || *size > ~*begin) return std::nullopt;
  if (cie.has_augmentation_data) {
    const std::uint64_t skipped = reader.uleb();
    reader.skip(skipped);
  }
  if (!reader.ok()) return std::nullopt;
  Fde out;
  out.begin = *begin;
  out.end = *begin + *size;
  out.cie_offset = entry.cie_offset;
  out.instructions_at = reader.position();
  out.instructions = reader.take(reader.remaining());
  return out;
}

}  // namespace hprof::symbolize
