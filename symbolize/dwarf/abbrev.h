// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hprof::symbolize {

/// How a unit writes numbers. Source: DWARF 5 section 7.4.
struct UnitEncoding {
  std::endian order = std::endian::little;
  std::uint16_t version = 4;
  std::uint8_t address_size = 8;
  std::uint8_t offset_size = 4;  ///< 4 or 8 ("64-bit DWARF")
  bool operator==(const UnitEncoding&) const = default;
};

struct AttributeSpec {
  std::uint16_t name = 0;
  std::uint16_t form = 0;
  std::int64_t implicit = 0;  ///< the value itself for DW_FORM_implicit_const
};

/// The shape of a debugging information entry.
struct Abbrev {
  std::uint64_t code = 0;
  std::uint16_t tag = 0;
  bool has_children = false;
  std::uint32_t first = 0;  ///< into the table's attributes
  std::uint32_t count = 0;
  std::int32_t fixed_size = -1;  ///< bytes of all attributes, -1 if that varies
  std::int32_t sibling_offset =
      -1;  ///< of a DW_AT_sibling of form ref4 behind fixed sizes, else -1
};

/// The abbreviations at one offset of .debug_abbrev, for one way of encoding.
class AbbrevTable {
 public:
  /// What is broken is left out. `last_code`: stop once that one is read (0: read all).
  static AbbrevTable parse(Bytes section, std::uint64_t offset, const UnitEncoding& encoding,
                           std::uint64_t last_code = 0);
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  /// nullptr if there is no such code.
  [[nodiscard]] const Abbrev* find(std::uint64_t code) const {
    if (code - 1 < dense_) return &rows_[code - 1];
    return dense_ == rows_.size() ? nullptr : find_sparse(code);
  }
  [[nodiscard]] std::span<const AttributeSpec> attributes(const Abbrev& row) const {
    return {attributes_.data() + row.first, row.count};
  }

 private:
  [[nodiscard]] const Abbrev* find_sparse(std::uint64_t code) const;

  std::vector<Abbrev> rows_;
  std::vector<AttributeSpec> attributes_;
  std::size_t dense_ = 0;  // rows_[i].code == i + 1 below it
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
};

/// Reads one abbreviation; false at the end of the table or where it is broken.
bool read_abbrev(ByteReader& reader, Abbrev& row, std::vector<AttributeSpec>& attributes);

}  // namespace hprof::symbolize
