// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/fde_index.h"

#include <algorithm>

namespace hprof::symbolize {
namespace {

constexpr std::uint8_t kDatarelSdata4 = 0x3b;
constexpr std::size_t kTableRow = 8;

// hdr := version u8 = 1, encodings of (eh_frame, count, table) u8 each, eh_frame, count, table
ByteReader after_encodings(Bytes hdr) {
  ByteReader reader{hdr};
  reader.skip(4);
  return reader;
}

}  // namespace

std::optional<std::uint64_t> eh_frame_address(Bytes hdr, std::uint64_t vaddr) {
  if (hdr.size() < 4 || load<std::uint8_t>(hdr, 0) != 1) return std::nullopt;
  ByteReader reader = after_encodings(hdr);
  return read_encoded_pointer(reader, load<std::uint8_t>(hdr, 1), {vaddr, 0, vaddr, 0});
}

std::optional<EhFrameHdr> EhFrameHdr::parse(Bytes bytes, std::uint64_t vaddr) {
  const auto eh_frame = eh_frame_address(bytes, vaddr);
  if (!eh_frame || load<std::uint8_t>(bytes, 3) != kDatarelSdata4) return std::nullopt;
  const PointerBases bases{vaddr, 0, vaddr, 0};
  ByteReader reader = after_encodings(bytes);
  read_encoded_pointer(reader, load<std::uint8_t>(bytes, 1), bases);
  const auto count = read_encoded_pointer(reader, load<std::uint8_t>(bytes, 2), bases);
  if (!count || *count == 0 || *count > reader.remaining() / kTableRow) return std::nullopt;
  EhFrameHdr out;
  out.count_ = static_cast<std::size_t>(*count);
  out.table_ = reader.take(out.count_ * kTableRow);
  out.vaddr_ = vaddr;
  out.eh_frame_ = *eh_frame;
  return out;
}

std::uint64_t EhFrameHdr::begin(std::size_t index) const {
  return vaddr_ +
         static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(table_, index * kTableRow)});
}

std::optional<std::uint64_t> EhFrameHdr::find(std::uint64_t pc) const {
  if (pc < begin(0)) return std::nullopt;
  std::size_t low = 0;
  std::size_t high = count_;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (begin(middle) <= pc ? low : high) = middle;
  }
  return vaddr_ +
         static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(table_, low * kTableRow + 4)});
}

FdeIndex::FdeIndex(const CfiSection& section, std::uint64_t offset, bool past_zero) {
  std::uint64_t cie_offset = ~std::uint64_t{0};
  std::optional<Cie> cie;
  while (offset < section.bytes.size() && entries_.size() < kMaxFdes) {
    const auto entry = read_cfi_entry(section, offset);
    if (!entry) break;
    if (entry->kind == CfiEntry::Kind::terminator && !past_zero) break;
    if (entry->kind == CfiEntry::Kind::fde) {
      if (entry->cie_offset != cie_offset) {
        cie_offset = entry->cie_offset;
        cie = read_cie(section, cie_offset);
      }
      const auto fde = cie ? read_fde(section, *entry, *cie) : std::nullopt;
      // Functions that the linker threw away are left at address 0.
      if (fde && fde->begin != 0) entries_.push_back({fde->begin, offset});
    }
    offset = entry->next;
  }
  std::ranges::sort(entries_, {}, &Entry::begin);
}

std::optional<std::uint64_t> FdeIndex::find(std::uint64_t pc) const {
  const auto after = std::ranges::upper_bound(entries_, pc, {}, &Entry::begin);
  if (after == entries_.begin()) return std::nullopt;
  return std::prev(after)->offset;
}

}  // namespace hprof::symbolize
