// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/abbrev.h"

#include "symbolize/dwarf/form.h"

#include <dwarf.h>

namespace hprof::symbolize {
namespace {

// So that a table of empty attribute lists cannot fill memory; gcc's LTO output has some 10,000.
constexpr std::size_t kMaxRows = 1 << 20;
constexpr std::int32_t kMaxFixedSize = 1 << 16;

void measure(Abbrev& row, std::span<const AttributeSpec> attributes, const UnitEncoding& encoding) {
  std::int32_t size = 0;
  for (const AttributeSpec& a : attributes) {
    if (a.name == DW_AT_sibling && a.form == DW_FORM_ref4) row.sibling_offset = size;
    const int bytes = fixed_form_size(a.form, encoding);
    if (bytes < 0 || size > kMaxFixedSize) return;
    size += bytes;
  }
  row.fixed_size = size;
}

}  // namespace

// code uleb, tag uleb, has_children u8, {name uleb, form uleb, [implicit sleb]}* ends with {0, 0}
bool read_abbrev(ByteReader& reader, Abbrev& row, std::vector<AttributeSpec>& attributes) {
  row = {};
  row.code = reader.uleb();
  if (row.code == 0 || !reader.ok()) return false;
  row.tag = static_cast<std::uint16_t>(reader.uleb());
  row.has_children = reader.u8() != 0;
  row.first = static_cast<std::uint32_t>(attributes.size());
  while (reader.ok()) {
    AttributeSpec a;
    a.name = static_cast<std::uint16_t>(reader.uleb());
    a.form = static_cast<std::uint16_t>(reader.uleb());
    if (a.form == DW_FORM_implicit_const) a.implicit = reader.sleb();
    if (a.name == 0 && a.form == 0) break;
    attributes.push_back(a);
  }
  row.count = static_cast<std::uint32_t>(attributes.size()) - row.first;
  return reader.ok();
}

AbbrevTable AbbrevTable::parse(Bytes section, std::uint64_t offset, const UnitEncoding& encoding,
                               std::uint64_t last_code) {
  AbbrevTable table;
  ByteReader reader{section, encoding.order};
  reader.seek(offset);
  Abbrev row;
  while (reader.ok() && table.rows_.size() < kMaxRows &&
         read_abbrev(reader, row, table.attributes_)) {
    measure(row, {table.attributes_.data() + row.first, row.count}, encoding);
    const std::size_t at = table.rows_.size();
    if (at == table.dense_ && row.code == at + 1) {
      ++table.dense_;
    } else {
      table.sparse_.emplace(row.code, static_cast<std::uint32_t>(at));
    }
    table.rows_.push_back(row);
    if (row.code == last_code) break;
  }
  return table;
}

const Abbrev* AbbrevTable::find_sparse(std::uint64_t code) const {
  const auto found = sparse_.find(code);
  return found == sparse_.end() ? nullptr : &rows_[found->second];
}

}  // namespace hprof::symbolize
