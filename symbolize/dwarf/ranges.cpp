// SPDX-License-Identifier: Apache-2.0
// The range lists of entries: Unit::ranges() and what it needs.
#include "symbolize/dwarf/dwarf_file.h"
#include "symbolize/dwarf/unit.h"

#include <dwarf.h>

#include <limits>

namespace hprof::symbolize {
namespace {

// More pieces than any function or unit has; keeps lying lists from filling memory.
constexpr std::size_t kMaxRanges = 1 << 20;

// Linkers leave dropped code at 0 or 1, lld at the two highest addresses.
bool is_dropped(std::uint64_t address, unsigned address_size) {
  const std::uint64_t top = address_size == 4 ? std::numeric_limits<std::uint32_t>::max()
                                              : std::numeric_limits<std::uint64_t>::max();
  return address <= 1 || address >= top - 1;
}

void add_range(std::uint64_t low, std::uint64_t high, unsigned address_size,
               std::vector<AddressRange>& out) {
  if (is_dropped(low, address_size) || high <= low || out.size() >= kMaxRanges) return;
  out.push_back({low, high});
}

}  // namespace

void Unit::ranges(const DieFacts& facts, std::vector<AddressRange>& out) const {
  if (facts.ranges.kind == FormClass::list_index) return list_by_index(facts.ranges.value, out);
  if (facts.ranges.kind != FormClass::none) {
    if (header_.encoding.version >= 5) {
      return read_rnglist(file_.sections().rnglists.bytes(), facts.ranges.value, out);
    }
    return read_old_ranges(facts.ranges.value, out);
  }
  const auto low = address(facts.low);
  if (!low) return;
  std::uint64_t high = 0;
  if (const auto end = address(facts.high); end) {
    high = *end;
  } else if (facts.high.kind == FormClass::constant) {
    high = *low + facts.high.value;
  }
  add_range(*low, high, header_.encoding.address_size, out);
}

// DWARF 5: the index is into the offsets behind the header of the table.
void Unit::list_by_index(std::uint64_t index, std::vector<AddressRange>& out) const {
  // A skeleton's index is into the main file's table, a split unit's into its own.
  const Bytes section = file_.sections().rnglists.bytes();
  const std::uint64_t size = header_.encoding.offset_size;
  if (index > section.size() / size) return;
  ByteReader r{section, header_.encoding.order};
  r.seek(rnglists_base_);
  r.skip(index * size);
  const std::uint64_t offset = read_sized(r, header_.encoding.offset_size);
  if (r.ok()) read_rnglist(section, rnglists_base_ + offset, out);
}

// DWARF 2-4: pairs of addresses from the base; {-1, base} sets it, {0, 0} ends.
void Unit::read_old_ranges(std::uint64_t offset, std::vector<AddressRange>& out) const {
  const DwarfFile& main = skeleton_ == nullptr ? file_ : skeleton_->file_;
  const unsigned size = header_.encoding.address_size;
  const std::uint64_t top = size == 4 ? std::numeric_limits<std::uint32_t>::max()
                                      : std::numeric_limits<std::uint64_t>::max();
  ByteReader r{main.sections().ranges.bytes(), header_.encoding.order};
  // GNU split DWARF: lists of a .dwo are counted from the skeleton's base.
  r.seek(skeleton_ == nullptr ? offset : skeleton_->ranges_base_ + offset);
  std::uint64_t base = base_address_;
  bool base_dropped = false;
  while (r.ok() && out.size() < kMaxRanges) {
    const std::uint64_t low = read_sized(r, size);
    const std::uint64_t high = read_sized(r, size);
    if (!r.ok() || (low == 0 && high == 0)) return;
    if (low == top) {
      base = high;
      base_dropped = is_dropped(base, size);
    } else if (low < high && !base_dropped) {
      add_range(base + low, base + high, size, out);
    }
  }
}

void Unit::read_rnglist(Bytes section, std::uint64_t offset, std::vector<AddressRange>& out) const {
  ByteReader r{section, header_.encoding.order};
  r.seek(offset);
  std::uint64_t base = base_address_;
  const unsigned size = header_.encoding.address_size;
  bool base_dropped = false;
  const auto indexed = [&] { return indexed_address(r.uleb()).value_or(0); };
  const auto set_base = [&](std::uint64_t address) {
    base = address;
    base_dropped = is_dropped(base, size);
  };
  while (r.ok() && out.size() < kMaxRanges) {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    switch (r.u8()) {
      case DW_RLE_base_addressx:
        set_base(indexed());
        continue;
      case DW_RLE_base_address:
        set_base(read_sized(r, size));
        continue;
      case DW_RLE_startx_endx:
        low = indexed();
        high = indexed();
        break;
      case DW_RLE_startx_length:
        low = indexed();
        high = low + r.uleb();
        break;
      case DW_RLE_offset_pair:
        low = base + r.uleb();
        high = base + r.uleb();
        if (base_dropped) continue;
        break;
      case DW_RLE_start_end:
        low = read_sized(r, size);
        high = read_sized(r, size);
        break;
      case DW_RLE_start_length:
        low = read_sized(r, size);
        high = low + r.uleb();
        break;
      default:
        return;  // DW_RLE_end_of_list, or nothing we know
    }
    if (r.ok()) add_range(low, high, size, out);
  }
}

}  // namespace hprof::symbolize
