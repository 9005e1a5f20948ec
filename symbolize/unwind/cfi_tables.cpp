// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/cfi_tables.h"

#include <elf.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

/// Rows beyond this cost memory that no real program's hot code needs.
constexpr std::size_t kMaxMemory = std::size_t{256} << 20;
constexpr std::size_t kMaxDetails = 1U << 20;

const ElfSegment* segment_of_type(const ElfImage& image, std::uint32_t type) {
  const auto found = std::ranges::find(image.segments(), type, &ElfSegment::type);
  return found == image.segments().end() ? nullptr : &*found;
}

// The whole loadable segment around `vaddr`, so that pointers back to a CIE stay inside.
CfiSection segment_around(const ElfImage& image, std::uint64_t vaddr) {
  for (const ElfSegment& segment : image.segments()) {
    if (segment.type != PT_LOAD || vaddr < segment.address) continue;
    if (vaddr - segment.address >= segment.file_size) continue;
    return {.bytes = image.bytes_at_address(segment.address), .vaddr = segment.address};
  }
  return {};
}

bool fits_word(std::int64_t offset) {
  return offset % 8 == 0 && offset / 8 > INT16_MIN && offset / 8 <= INT16_MAX;
}

}  // namespace

CfiTables::CfiTables(const ElfImage& image) {
  if (!image.is_64() || image.order() != std::endian::native || image.machine() != kMachine) return;
  if (!add_by_header(image)) add_by_section(image);
  add_debug_frame(image);
}

bool CfiTables::add_by_header(const ElfImage& image) {
  const ElfSegment* segment = segment_of_type(image, PT_GNU_EH_FRAME);
  if (segment == nullptr) return false;
  Bytes bytes = image.bytes_at_address(segment->address);
  bytes = bytes.first(std::min<std::uint64_t>(bytes.size(), segment->file_size));
  const auto eh_frame = eh_frame_address(bytes, segment->address);
  if (!eh_frame) return false;
  Source source;
  source.section = segment_around(image, *eh_frame);
  if (source.section.bytes.empty()) return false;
  source.section.data = segment->address;
  source.hdr = EhFrameHdr::parse(bytes, segment->address);
  if (!source.hdr) {
    // Linkers leave the table out when they cannot read all of .eh_frame.
    source.index.emplace(source.section, *eh_frame - source.section.vaddr, false);
    if (source.index->size() == 0) return false;
  }
  sources_.push_back(std::move(source));
  return true;
}

void CfiTables::add_by_section(const ElfImage& image) {
  const ElfSection* section = image.find_section(".eh_frame");
  if (section == nullptr) return;
  Source source;
  source.section = {.bytes = image.section_bytes(*section), .vaddr = section->address};
  // A static link may leave terminators of single objects inside; the section's size is the end.
  source.index.emplace(source.section, 0, true);
  if (source.index->size() != 0) sources_.push_back(std::move(source));
}

void CfiTables::add_debug_frame(const ElfImage& image) {
  auto data = read_section(image, ".debug_frame");
  if (!data || data->bytes().empty()) return;
  debug_frame_ = *std::move(data);
  Source source;
  source.section = {.bytes = debug_frame_.bytes(), .vaddr = 0, .eh = false};
  source.index.emplace(source.section, 0, true);
  if (source.index->size() != 0) sources_.push_back(std::move(source));
}

std::optional<std::uint64_t> CfiTables::locate(const Source& source, std::uint64_t pc) {
  if (source.index) return source.index->find(pc);
  const auto address = source.hdr->find(pc);
  if (!address) return std::nullopt;
  const std::uint64_t offset = *address - source.section.vaddr;
  if (offset >= source.section.bytes.size()) return std::nullopt;
  return offset;
}

UnwindRow CfiTables::find(std::uint64_t pc) {
  for (Source& source : sources_) {
    const auto offset = locate(source, pc);
    if (!offset) continue;
    const CompiledFde& fde = compile(source, *offset);
    if (pc < fde.begin || pc >= fde.end) continue;
    const auto after = std::ranges::upper_bound(fde.rows, pc, {}, &RowAt::begin);
    if (after != fde.rows.begin()) return std::prev(after)->row;
  }
  return {};
}

const Cie* CfiTables::cie_at(Source& source, std::uint64_t offset) {
  const auto known = source.cies.find(offset);
  if (known != source.cies.end()) return &known->second;
  const auto cie = read_cie(source.section, offset);
  if (!cie) return nullptr;
  return &source.cies.emplace(offset, *cie).first->second;
}

const CfiTables::CompiledFde& CfiTables::compile(Source& source, std::uint64_t offset) {
  const auto known = source.compiled.find(offset);
  if (known != source.compiled.end()) return known->second;
  CompiledFde out;
  const auto entry = read_cfi_entry(source.section, offset);
  const bool is_fde = entry && entry->kind == CfiEntry::Kind::fde;
  const Cie* cie = is_fde ? cie_at(source, entry->cie_offset) : nullptr;
  const auto fde = cie == nullptr ? std::nullopt : read_fde(source.section, *entry, *cie);
  if (fde && cie->return_register == kReturnColumn && memory_ < kMaxMemory) {
    out.begin = fde->begin;
    out.end = CfiProgram{source.section, *cie, *fde}.run([&](const CfiRow& row) {
      out.rows.push_back({row.begin, compact(row, *cie)});
    });
    out.rows.shrink_to_fit();
  }
  memory_ += sizeof(CompiledFde) + out.rows.capacity() * sizeof(RowAt);
  return source.compiled.emplace(offset, std::move(out)).first->second;
}

UnwindRow CfiTables::compact(const CfiRow& row, const Cie& cie) {
  UnwindRow out;
  out.signal_frame = cie.signal_frame;
  const RegisterRule& ra = row.rules[kReturnColumn];
  if (ra.kind == RegisterRule::Kind::undefined) {
    out.kind = UnwindRow::Kind::root;
    return out;
  }
  const bool plain_cfa = !row.cfa.by_expression && row.cfa.reg < UserRegisters::kCount &&
                         row.cfa.offset >= INT32_MIN && row.cfa.offset <= INT32_MAX;
  if (!plain_cfa) return detail(row, out);
  for (std::size_t reg = 0; reg < row.rules.size(); ++reg) {
    const RegisterRule& rule = row.rules[reg];
    if (rule.kind == RegisterRule::Kind::same) continue;
    const int index = saved_index(reg);
    if (rule.kind != RegisterRule::Kind::offset || index < 0 || !fits_word(rule.value)) {
      return detail(row, out);
    }
    out.saved[static_cast<std::size_t>(index)] = static_cast<std::int16_t>(rule.value / 8);
    out.saved_mask =
        static_cast<std::uint16_t>(out.saved_mask | 1U << static_cast<unsigned>(index));
  }
  // On x86-64 a return address without a rule would be the pc itself: no table at all.
  if (!kHasLinkRegister && ra.kind == RegisterRule::Kind::same) return {};
  out.kind = UnwindRow::Kind::compact;
  out.cfa_register = static_cast<std::uint8_t>(row.cfa.reg);
  out.cfa_offset = static_cast<std::int32_t>(row.cfa.offset);
  return out;
}

UnwindRow CfiTables::detail(const CfiRow& row, UnwindRow head) {
  if (details_.size() >= kMaxDetails) return {};
  if (!kHasLinkRegister && row.rules[kReturnColumn].kind == RegisterRule::Kind::same) return {};
  DetailedRow out;
  out.cfa = row.cfa;
  for (std::size_t reg = 0; reg < row.rules.size(); ++reg) {
    if (row.rules[reg].kind == RegisterRule::Kind::same) continue;
    out.rules.emplace_back(static_cast<std::uint8_t>(reg), row.rules[reg]);
  }
  head.kind = UnwindRow::Kind::detailed;
  head.cfa_offset = static_cast<std::int32_t>(details_.size());
  memory_ += sizeof(DetailedRow) + out.rules.capacity() * sizeof(out.rules[0]);
  details_.push_back(std::move(out));
  return head;
}

}  // namespace hprof::symbolize
