// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <cstdint>
#include <optional>

namespace hprof::symbolize {

/// Where an encoded pointer may count from; all linked addresses.
struct PointerBases {
  std::uint64_t section = 0;   ///< address of the first byte the reader was made from
  std::uint64_t text = 0;      ///< DW_EH_PE_textrel
  std::uint64_t data = 0;      ///< DW_EH_PE_datarel
  std::uint64_t function = 0;  ///< DW_EH_PE_funcrel
};

inline constexpr std::uint8_t kPointerOmitted = 0xff;

/// Reads a pointer encoded as DW_EH_PE says. Absent: omitted, of an unknown form, or cut off (the
/// reader fails then). An indirect pointer yields the address of the word that holds it.
/// Source: LSB, "DWARF extensions".
std::optional<std::uint64_t> read_encoded_pointer(ByteReader& reader, std::uint8_t encoding,
                                                  const PointerBases& bases);

}  // namespace hprof::symbolize
