// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/dwarf_file.h"

#include <dwarf.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

// A section that cannot be inflated is as good as absent.
SectionData section_or_empty(const ElfImage& image, std::string name, bool is_dwo) {
  if (is_dwo) name += ".dwo";
  auto data = read_section(image, name);
  return data ? *std::move(data) : SectionData{};
}

}  // namespace

std::unique_ptr<DwarfFile> DwarfFile::open(const ElfImage& image, Flavour flavour) {
  const bool is_dwo = flavour == Flavour::dwo;
  SectionData info = section_or_empty(image, ".debug_info", is_dwo);
  if (info.bytes().empty()) return nullptr;
  auto file = std::unique_ptr<DwarfFile>(new DwarfFile);
  file->order_ = image.order();
  file->is_dwo_ = is_dwo;
  DwarfSections& s = file->sections_;
  s.info = std::move(info);
  s.abbrev = section_or_empty(image, ".debug_abbrev", is_dwo);
  s.line = section_or_empty(image, ".debug_line", is_dwo);
  s.str = section_or_empty(image, ".debug_str", is_dwo);
  s.line_str = section_or_empty(image, ".debug_line_str", is_dwo);
  s.ranges = section_or_empty(image, ".debug_ranges", false);
  s.rnglists = section_or_empty(image, ".debug_rnglists", is_dwo);
  s.addr = section_or_empty(image, ".debug_addr", false);
  s.str_offsets = section_or_empty(image, ".debug_str_offsets", is_dwo);
  file->list_units();
  if (is_dwo) file->read_package_index(image.section_bytes(".debug_cu_index"));
  return file;
}

StringSections DwarfFile::strings() const {
  return {.str = sections_.str.bytes(),
          .line_str = sections_.line_str.bytes(),
          .alt_str = alt_ == nullptr ? Bytes{} : alt_->sections_.str.bytes()};
}

void DwarfFile::list_units() {
  ByteReader reader{sections_.info.bytes(), order_};
  while (reader.ok() && !reader.at_end()) {
    const auto header = read_unit_header(reader, order_);
    if (!header) break;
    if (header->encoding.version != 0) headers_.push_back(*header);
  }
}

// version u32 (2), or u16 5 and padding u16; columns u32, units u32, slots u32; signatures
// u64[slots]; rows u32[slots] (1-based); section ids u32[columns]; offsets u32[units][columns];
// sizes likewise. Source: DWARF 5 section 7.3.5; version 2: gcc.gnu.org/wiki/DebugFissionDWP.
void DwarfFile::read_package_index(Bytes index) {
  ByteReader r{index, order_};
  const std::uint32_t version_word = r.u32();
  const bool is_v5 = (version_word & 0xffff) == 5 || version_word >> 16 == 5;
  const std::uint64_t columns = r.u32();
  const std::uint64_t units = r.u32();
  const std::uint64_t slots = r.u32();
  if (!r.ok() || columns == 0 || columns > 16 || units > index.size() || slots > index.size())
    return;
  r.skip(slots * 12);
  std::vector<std::uint32_t> ids;
  for (std::uint64_t i = 0; i < columns; ++i) ids.push_back(r.u32());
  for (std::uint64_t row = 0; row < units && r.ok(); ++row) {
    DwpContribution c;
    std::uint64_t info = 0;
    for (const std::uint32_t id : ids) {
      const std::uint64_t offset = r.u32();
      if (id == DW_SECT_INFO) info = offset;
      if (id == DW_SECT_ABBREV) c.abbrev = offset;
      if (id == DW_SECT_LINE) c.line = offset;
      if (id == DW_SECT_STR_OFFSETS) c.str_offsets = offset;  // 6 in both versions
      if (is_v5 && id == DW_SECT_RNGLISTS) c.rnglists = offset;
    }
    if (r.ok()) package_.emplace(info, c);
  }
}

DwpContribution DwarfFile::contribution(const UnitHeader& header) const {
  const auto found = package_.find(header.offset);
  return found == package_.end() ? DwpContribution{} : found->second;
}

const Unit& DwarfFile::unit(std::uint32_t number) const {
  {
    const std::lock_guard lock{mutex_};
    if (const auto found = units_.find(number); found != units_.end()) return *found->second;
  }
  auto fresh = std::make_unique<Unit>(*this, headers_[number], nullptr);
  const std::lock_guard lock{mutex_};
  return *units_.try_emplace(number, std::move(fresh)).first->second;
}

const Unit* DwarfFile::unit_at(std::uint64_t offset) const {
  const auto after = std::ranges::upper_bound(headers_, offset, {}, &UnitHeader::offset);
  if (after == headers_.begin()) return nullptr;
  const auto header = std::prev(after);
  if (offset < header->first_die || offset >= header->end) return nullptr;
  return &unit(static_cast<std::uint32_t>(header - headers_.begin()));
}

std::shared_ptr<const AbbrevTable> DwarfFile::abbrevs(std::uint64_t offset,
                                                      const UnitEncoding& e) const {
  const auto key = std::make_tuple(offset, int{e.version}, int{e.address_size}, int{e.offset_size});
  {
    const std::lock_guard lock{mutex_};
    if (const auto found = abbrevs_.find(key); found != abbrevs_.end()) return found->second;
  }
  auto table =
      std::make_shared<const AbbrevTable>(AbbrevTable::parse(sections_.abbrev.bytes(), offset, e));
  const std::lock_guard lock{mutex_};
  return abbrevs_.try_emplace(key, std::move(table)).first->second;
}

std::unique_ptr<Unit> DwarfFile::open_split(std::uint64_t dwo_id, const Unit& skeleton) const {
  for (const UnitHeader& header : headers_) {
    if (header.encoding.version >= 5) {
      if (header.type != DW_UT_split_compile || header.dwo_id != dwo_id) continue;
      return std::make_unique<Unit>(*this, header, &skeleton);
    }
    auto unit = std::make_unique<Unit>(*this, header, &skeleton);  // GNU: the id is an attribute
    if (unit->dwo_id() == dwo_id) return unit;
  }
  return nullptr;
}

}  // namespace hprof::symbolize
