// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/unit_index.h"

#include <dwarf.h>

namespace hprof::symbolize {
namespace {

// Real files need one abbreviation and a handful of ranges a unit; lying ones stop here.
constexpr std::size_t kMaxAbbrevs = std::size_t{1} << 24;
constexpr std::size_t kMaxRangesInAll = std::size_t{1} << 25;

std::uint64_t root_code(const DwarfFile& file, const UnitHeader& header) {
  ByteReader r{file.sections().info.bytes(), header.encoding.order};
  r.seek(header.first_die);
  return r.uleb();
}

}  // namespace

IntervalMap index_units(const DwarfFile& file) {
  IntervalMap index;
  std::size_t abbrevs_read = 0;
  std::size_t ranges_read = 0;
  std::vector<AddressRange> ranges;
  std::shared_ptr<const AbbrevTable> table;
  const std::span<const UnitHeader> headers = file.headers();
  for (std::uint32_t i = 0; i < headers.size(); ++i) {
    const UnitHeader& header = headers[i];
    const bool has_code = header.type == DW_UT_compile || header.type == DW_UT_skeleton;
    if (!has_code) continue;
    const std::uint64_t code = root_code(file, header);
    table = std::make_shared<const AbbrevTable>(AbbrevTable::parse(
        file.sections().abbrev.bytes(), header.abbrev_offset, header.encoding, code));
    abbrevs_read += table->size();
    const Unit unit{file, header, nullptr, table};
    ranges.clear();
    unit.ranges(unit.root(), ranges);
    ranges_read += ranges.size();
    if (abbrevs_read > kMaxAbbrevs || ranges_read > kMaxRangesInAll) break;
    for (const AddressRange& range : ranges) index.add(range.low, range.high, i);
  }
  index.settle();
  return index;
}

}  // namespace hprof::symbolize
