// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/form.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::symbolize {

/// The sections strings come from.
struct StringSections {
  Bytes str;
  Bytes line_str;
  Bytes alt_str;  ///< .debug_str of the supplementary file
};

/// The header of a line number program: its file table and how its bytes are read.
/// Lifetime: names borrow the sections. Source: DWARF 2-5 section 6.2.4.
struct LineHeader {
  UnitEncoding encoding;
  std::uint8_t min_instruction = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 0;
  std::uint8_t opcode_base = 0;
  std::vector<std::uint8_t> opcode_lengths;  ///< by opcode - 1
  std::vector<std::string_view> directories;
  struct File {
    std::string_view name;
    std::uint64_t directory = 0;
  };
  std::vector<File> files;  ///< as numbered by the program: before DWARF 5, files[0] is unused
  Bytes program;

  /// Reads the header at `offset` of .debug_line. What is broken ends up empty.
  static LineHeader parse(Bytes section, std::uint64_t offset, const UnitEncoding& unit,
                          const StringSections& strings);
  /// The whole path of a file, or empty. `comp_dir`: DW_AT_comp_dir of the unit.
  [[nodiscard]] std::string file_path(std::uint64_t file, std::string_view comp_dir) const;
};

/// The row of the line table that an address belongs to; file and line 0: none.
struct LineRow {
  std::uint64_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Runs the program once and finds the row for each of `addresses` (sorted).
std::vector<LineRow> find_lines(const LineHeader& header, std::span<const std::uint64_t> addresses);

}  // namespace hprof::symbolize
