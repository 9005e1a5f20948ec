// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/abbrev.h"

#include <string_view>

namespace hprof::symbolize {

/// What kind of value a form holds, as far as a symbolizer cares.
enum class FormClass : std::uint8_t {
  none,             ///< blocks, flags, and what is not known
  address,          ///< value
  address_index,    ///< into .debug_addr from the unit's addr_base
  constant,         ///< value
  text,             ///< the string stands in the entry
  str_offset,       ///< into .debug_str
  line_str_offset,  ///< into .debug_line_str
  str_index,        ///< into .debug_str_offsets from the unit's str_offsets_base
  alt_str_offset,   ///< into .debug_str of the supplementary file
  reference,        ///< offset in .debug_info of the same file
  alt_reference,    ///< offset in .debug_info of the supplementary file
  section_offset,   ///< into the section that the attribute implies
  list_index,       ///< into the offset table of .debug_rnglists or .debug_loclists
};

struct FormValue {
  FormClass kind = FormClass::none;
  std::uint64_t value = 0;
  std::string_view text;
};

/// Reads (and so skips) one attribute value. `unit_offset`: where the unit starts in its section.
/// An unknown form fails the reader: what follows cannot be found.
FormValue read_form(ByteReader& reader, const AttributeSpec& spec, const UnitEncoding& encoding,
                    std::uint64_t unit_offset);

/// The bytes a form always takes, or -1 if that varies.
int fixed_form_size(std::uint16_t form, const UnitEncoding& encoding);

/// Reads an address or offset of `size` bytes: 1, 2, 4 or 8; others fail the reader.
std::uint64_t read_sized(ByteReader& reader, unsigned size);

}  // namespace hprof::symbolize
