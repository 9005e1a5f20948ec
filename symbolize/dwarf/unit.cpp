// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/unit.h"

#include "symbolize/dwarf/dwarf_file.h"
#include "symbolize/dwarf/function_scan.h"

#include <dwarf.h>

#include <algorithm>
#include <limits>

namespace hprof::symbolize {

// unit_length; version u16; DWARF 5: unit_type u8, address_size u8, abbrev_offset, [dwo_id u64];
// DWARF 2-4: abbrev_offset, address_size u8. Source: DWARF 5 section 7.5.1.
std::optional<UnitHeader> read_unit_header(ByteReader& reader, std::endian order) {
  UnitHeader h;
  h.offset = reader.position();
  h.encoding.order = order;
  std::uint64_t length = reader.u32();
  if (length == 0xffffffff) {
    length = reader.u64();
    h.encoding.offset_size = 8;
  } else if (length >= 0xfffffff0) {
    reader.fail();
  }
  if (!reader.ok() || length > reader.remaining()) return std::nullopt;
  h.end = reader.position() + length;
  const std::size_t start = reader.position();
  ByteReader r{reader.take(length), order};
  h.encoding.version = r.u16();
  const auto offset = [&] { return read_sized(r, h.encoding.offset_size); };
  if (h.encoding.version >= 5) {
    h.type = r.u8();
    h.encoding.address_size = r.u8();
    h.abbrev_offset = offset();
    if (h.type == DW_UT_skeleton || h.type == DW_UT_split_compile) h.dwo_id = r.u64();
    if (h.type == DW_UT_type || h.type == DW_UT_split_type) r.skip(8U + h.encoding.offset_size);
  } else {
    h.type = DW_UT_compile;
    h.abbrev_offset = offset();
    h.encoding.address_size = r.u8();
  }
  h.first_die = start + r.position();
  const bool known = h.encoding.version >= 2 && h.encoding.version <= 5 &&
                     (h.encoding.address_size == 4 || h.encoding.address_size == 8);
  if (!r.ok() || !known) h.encoding.version = 0;
  return h;
}

Unit::Unit(const DwarfFile& file, const UnitHeader& header, const Unit* skeleton,
           std::shared_ptr<const AbbrevTable> abbrevs)
    : file_(file),
      header_(header),
      skeleton_(skeleton),
      abbrevs_(std::move(abbrevs)),
      dwo_id_(header.dwo_id) {
  const DwpContribution part = file.contribution(header);
  header_.abbrev_offset += part.abbrev;
  if (!abbrevs_) abbrevs_ = file.abbrevs(header_.abbrev_offset, header_.encoding);
  const bool is_64bit = header_.encoding.offset_size == 8;
  const std::uint64_t list_header = is_64bit ? 20 : 12;
  if (header_.encoding.version >= 5) {
    // Without an attribute: just behind the header of the only (or this unit's) table.
    str_offsets_base_ = part.str_offsets + (is_64bit ? 16 : 8);
    rnglists_base_ = part.rnglists + list_header;
    addr_base_ = is_64bit ? 16 : 8;
  } else {
    str_offsets_base_ = part.str_offsets;
  }
  if (skeleton_ != nullptr) {
    addr_base_ = skeleton_->addr_base_;
    ranges_base_ = skeleton_->ranges_base_;
    base_address_ = skeleton_->base_address_;
    comp_dir_ = skeleton_->comp_dir_;
  }
  read_root();
}

Unit::~Unit() = default;

const UnitScan& Unit::scan() const {
  std::call_once(scan_once_,
                 [this] { scan_ = std::make_unique<const UnitScan>(scan_unit(*this)); });
  return *scan_;
}

ByteReader Unit::reader(std::uint64_t offset) const {
  const Bytes info = file_.sections().info.bytes();
  ByteReader out{
      info.first(static_cast<std::size_t>(std::min<std::uint64_t>(header_.end, info.size()))),
      header_.encoding.order};
  out.seek(offset);
  return out;
}

Die Unit::read_die(ByteReader& reader) const {
  Die die;
  die.offset = reader.position();
  const std::uint64_t code = reader.uleb();
  if (code != 0) {
    die.abbrev = abbrevs_->find(code);
    if (die.abbrev == nullptr) reader.fail();
  }
  die.attributes = reader.position();
  return die;
}

// The root is read in two steps: the bases it holds explain the forms of its other attributes.
void Unit::read_root() {
  ByteReader r = reader(header_.first_die);
  const Die die = read_die(r);
  if (die.abbrev == nullptr) return;
  const std::size_t attributes = r.position();
  FormValue comp_dir;
  FormValue dwo_name;
  for (const AttributeSpec& spec : abbrevs_->attributes(*die.abbrev)) {
    const FormValue v = read_form(r, spec, header_.encoding, header_.offset);
    switch (spec.name) {
      case DW_AT_addr_base:
      case DW_AT_GNU_addr_base:
        addr_base_ = v.value;
        break;
      case DW_AT_str_offsets_base:
        str_offsets_base_ = v.value;
        break;
      case DW_AT_rnglists_base:
        rnglists_base_ = v.value;
        break;
      case DW_AT_GNU_ranges_base:
        ranges_base_ = v.value;
        break;
      case DW_AT_GNU_dwo_id:
        dwo_id_ = v.value;
        break;
      case DW_AT_stmt_list:
        stmt_list_ = v.value;
        break;
      case DW_AT_comp_dir:
        comp_dir = v;
        break;
      case DW_AT_dwo_name:
      case DW_AT_GNU_dwo_name:
        dwo_name = v;
        break;
      default:
        break;
    }
  }
  if (comp_dir.kind != FormClass::none) comp_dir_ = text(comp_dir);
  dwo_name_ = text(dwo_name);
  ByteReader again = reader(attributes);
  root_ = read_facts(again, *die.abbrev);
  if (const auto low = address(root_.low); low) base_address_ = *low;
}

DieFacts Unit::read_facts(ByteReader& r, const Abbrev& abbrev) const {
  DieFacts f;
  for (const AttributeSpec& spec : abbrevs_->attributes(abbrev)) {
    const FormValue v = read_form(r, spec, header_.encoding, header_.offset);
    switch (spec.name) {
      case DW_AT_name:
        f.name = v;
        break;
      case DW_AT_linkage_name:
      case DW_AT_MIPS_linkage_name:
        f.linkage_name = v;
        break;
      case DW_AT_abstract_origin:
        f.origin = v;
        break;
      case DW_AT_specification:
        if (f.origin.kind == FormClass::none) f.origin = v;
        break;
      case DW_AT_low_pc:
        f.low = v;
        break;
      case DW_AT_high_pc:
        f.high = v;
        break;
      case DW_AT_ranges:
        f.ranges = v;
        break;
      case DW_AT_decl_file:
        f.decl_file = v.value;
        break;
      case DW_AT_decl_line:
        f.decl_line = static_cast<std::uint32_t>(v.value);
        break;
      case DW_AT_call_file:
        f.call_file = v.value;
        break;
      case DW_AT_call_line:
        f.call_line = static_cast<std::uint32_t>(v.value);
        break;
      case DW_AT_call_column:
        f.call_column = static_cast<std::uint32_t>(v.value);
        break;
      default:
        break;
    }
  }
  return f;
}

std::uint64_t Unit::skip_attributes(ByteReader& r, const Abbrev& abbrev) const {
  const std::size_t at = r.position();
  std::uint64_t sibling = 0;
  if (abbrev.has_children && abbrev.sibling_offset >= 0) {
    ByteReader s = r;
    s.skip(static_cast<std::uint64_t>(abbrev.sibling_offset));
    sibling = header_.offset + s.u32();
  }
  if (abbrev.fixed_size >= 0) {
    r.skip(static_cast<std::uint64_t>(abbrev.fixed_size));
  } else {
    for (const AttributeSpec& spec : abbrevs_->attributes(abbrev)) {
      const FormValue v = read_form(r, spec, header_.encoding, header_.offset);
      if (spec.name == DW_AT_sibling && v.kind == FormClass::reference) sibling = v.value;
    }
  }
  // A sibling that lies behind would make a walk endless.
  return sibling > at && sibling <= header_.end ? sibling : 0;
}

std::string_view Unit::text(const FormValue& value) const {
  const auto at = [](Bytes section, std::uint64_t offset) {
    if (offset >= section.size()) return std::string_view{};
    return ByteReader{section.subspan(offset)}.c_string();
  };
  switch (value.kind) {
    case FormClass::text:
      return value.text;
    case FormClass::str_offset:
      return at(file_.sections().str.bytes(), value.value);
    case FormClass::line_str_offset:
      return at(file_.sections().line_str.bytes(), value.value);
    case FormClass::alt_str_offset:
      return file_.alt() == nullptr ? std::string_view{}
                                    : at(file_.alt()->sections().str.bytes(), value.value);
    case FormClass::str_index:
      return indexed_text(value.value);
    default:
      return {};
  }
}

std::string_view Unit::indexed_text(std::uint64_t index) const {
  const Bytes table = file_.sections().str_offsets.bytes();
  const std::uint64_t size = header_.encoding.offset_size;
  if (index > table.size() / size) return {};
  ByteReader r{table, header_.encoding.order};
  r.seek(str_offsets_base_);
  r.skip(index * size);
  const std::uint64_t offset = read_sized(r, header_.encoding.offset_size);
  if (!r.ok()) return {};
  return text({FormClass::str_offset, offset, {}});
}

std::optional<std::uint64_t> Unit::indexed_address(std::uint64_t index) const {
  // The addresses of a .dwo are in the main file.
  const DwarfFile& main = skeleton_ == nullptr ? file_ : skeleton_->file_;
  const Bytes table = main.sections().addr.bytes();
  const std::uint64_t size = header_.encoding.address_size;
  if (index > table.size() / size) return std::nullopt;
  ByteReader r{table, header_.encoding.order};
  r.seek(addr_base_);
  r.skip(index * size);
  const std::uint64_t address = read_sized(r, header_.encoding.address_size);
  return r.ok() ? std::optional{address} : std::nullopt;
}

std::optional<std::uint64_t> Unit::address(const FormValue& value) const {
  if (value.kind == FormClass::address) return value.value;
  if (value.kind == FormClass::address_index) return indexed_address(value.value);
  return std::nullopt;
}

const LineHeader& Unit::lines() const {
  if (skeleton_ != nullptr) return skeleton_->lines();
  std::call_once(lines_once_, [this] {
    if (!stmt_list_) return;
    lines_ = LineHeader::parse(file_.sections().line.bytes(), *stmt_list_, header_.encoding,
                               file_.strings());
  });
  return lines_;
}

std::string Unit::file_path(std::uint64_t number) const {
  return lines().file_path(number, comp_dir_);
}

}  // namespace hprof::symbolize
