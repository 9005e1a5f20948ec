// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/form.h"

#include <dwarf.h>

namespace hprof::symbolize {
namespace {

std::uint64_t read_u24(ByteReader& reader, std::endian order) {
  const std::uint64_t a = reader.u8();
  const std::uint64_t b = reader.u8();
  const std::uint64_t c = reader.u8();
  return order == std::endian::little ? a | b << 8 | c << 16 : a << 16 | b << 8 | c;
}

FormValue skip_bytes(ByteReader& reader, std::uint64_t count) {
  reader.skip(count);
  return {};
}

}  // namespace

std::uint64_t read_sized(ByteReader& reader, unsigned size) {
  switch (size) {
    case 1:
      return reader.u8();
    case 2:
      return reader.u16();
    case 4:
      return reader.u32();
    case 8:
      return reader.u64();
    default:
      reader.fail();
      return 0;
  }
}

int fixed_form_size(std::uint16_t form, const UnitEncoding& e) {
  switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
      return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
      return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
      return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
      return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
      return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8:
      return 8;
    case DW_FORM_data16:
      return 16;
    case DW_FORM_addr:
      return e.address_size;
    case DW_FORM_ref_addr:
      return e.version <= 2 ? e.address_size : e.offset_size;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
      return e.offset_size;
    default:
      return -1;
  }
}

FormValue read_form(ByteReader& r, const AttributeSpec& spec, const UnitEncoding& e,
                    std::uint64_t unit_offset) {
  const auto of = [](FormClass kind, std::uint64_t value) { return FormValue{kind, value, {}}; };
  const auto offset = [&] { return read_sized(r, e.offset_size); };
  // DW_FORM_indirect may name itself; a few hops are more than anyone writes.
  std::uint16_t form = spec.form;
  for (int hops = 0; form == DW_FORM_indirect && hops < 4; ++hops) {
    form = static_cast<std::uint16_t>(r.uleb());
  }
  switch (form) {
    case DW_FORM_addr:
      return of(FormClass::address, read_sized(r, e.address_size));
    case DW_FORM_addrx:
    case DW_FORM_GNU_addr_index:
      return of(FormClass::address_index, r.uleb());
    case DW_FORM_addrx1:
      return of(FormClass::address_index, r.u8());
    case DW_FORM_addrx2:
      return of(FormClass::address_index, r.u16());
    case DW_FORM_addrx3:
      return of(FormClass::address_index, read_u24(r, e.order));
    case DW_FORM_addrx4:
      return of(FormClass::address_index, r.u32());
    case DW_FORM_data1:
      return of(FormClass::constant, r.u8());
    case DW_FORM_data2:
      return of(FormClass::constant, r.u16());
    // Before DWARF 4 section offsets were written as data4 and data8: the reader of the attribute
    // takes constants there too.
    case DW_FORM_data4:
      return of(FormClass::constant, r.u32());
    case DW_FORM_data8:
      return of(FormClass::constant, r.u64());
    case DW_FORM_udata:
      return of(FormClass::constant, r.uleb());
    case DW_FORM_sdata:
      return of(FormClass::constant, static_cast<std::uint64_t>(r.sleb()));
    case DW_FORM_implicit_const:
      return of(FormClass::constant, static_cast<std::uint64_t>(spec.implicit));
    case DW_FORM_string:
      return {FormClass::text, 0, r.c_string()};
    case DW_FORM_strp:
      return of(FormClass::str_offset, offset());
    case DW_FORM_line_strp:
      return of(FormClass::line_str_offset, offset());
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
      return of(FormClass::alt_str_offset, offset());
    case DW_FORM_strx:
    case DW_FORM_GNU_str_index:
      return of(FormClass::str_index, r.uleb());
    case DW_FORM_strx1:
      return of(FormClass::str_index, r.u8());
    case DW_FORM_strx2:
      return of(FormClass::str_index, r.u16());
    case DW_FORM_strx3:
      return of(FormClass::str_index, read_u24(r, e.order));
    case DW_FORM_strx4:
      return of(FormClass::str_index, r.u32());
    case DW_FORM_ref1:
      return of(FormClass::reference, unit_offset + r.u8());
    case DW_FORM_ref2:
      return of(FormClass::reference, unit_offset + r.u16());
    case DW_FORM_ref4:
      return of(FormClass::reference, unit_offset + r.u32());
    case DW_FORM_ref8:
      return of(FormClass::reference, unit_offset + r.u64());
    case DW_FORM_ref_udata:
      return of(FormClass::reference, unit_offset + r.uleb());
    case DW_FORM_ref_addr:
      return of(FormClass::reference,
                read_sized(r, e.version <= 2 ? e.address_size : e.offset_size));
    case DW_FORM_GNU_ref_alt:
      return of(FormClass::alt_reference, offset());
    case DW_FORM_ref_sup4:
      return of(FormClass::alt_reference, r.u32());
    case DW_FORM_ref_sup8:
      return of(FormClass::alt_reference, r.u64());
    case DW_FORM_sec_offset:
      return of(FormClass::section_offset, offset());
    case DW_FORM_rnglistx:
    case DW_FORM_loclistx:
      return of(FormClass::list_index, r.uleb());
    case DW_FORM_flag_present:
      return {};
    case DW_FORM_flag:
      return skip_bytes(r, 1);
    case DW_FORM_ref_sig8:
      return skip_bytes(r, 8);
    case DW_FORM_data16:
      return skip_bytes(r, 16);
    case DW_FORM_block1:
      return skip_bytes(r, r.u8());
    case DW_FORM_block2:
      return skip_bytes(r, r.u16());
    case DW_FORM_block4:
      return skip_bytes(r, r.u32());
    case DW_FORM_block:
    case DW_FORM_exprloc:
      return skip_bytes(r, r.uleb());
    default:
      r.fail();
      return {};
  }
}

}  // namespace hprof::symbolize
