// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/unit.h"
#include "symbolize/interval_map.h"

namespace hprof::symbolize {

/// A namespace or type whose entry spans [offset, end) of .debug_info.
struct Scope {
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
  std::string_view name;
  bool is_namespace = false;
};

/// What one walk over a unit finds: its functions by address, and its named scopes.
struct UnitScan {
  IntervalMap by_address;                ///< to an index into `functions`
  std::vector<std::uint64_t> functions;  ///< offsets of entries with code
  /// Those around functions without a linkage name, in the order of their offsets.
  std::vector<Scope> scopes;
};

UnitScan scan_unit(const Unit& unit);

/// The scopes around the entry at `offset`, joined: "ns::Class::"; empty if there are none.
std::string scope_prefix(const UnitScan& scan, std::uint64_t offset);

/// A call that was inlined into a function.
struct InlineNode {
  static constexpr std::uint32_t kFunction = 0xffffffff;  ///< inlined into the function itself
  std::uint32_t parent = kFunction;                       ///< index of the call around it
  FormValue origin;
  std::uint64_t call_file = 0;
  std::uint32_t call_line = 0;
  std::uint32_t call_column = 0;
  std::vector<AddressRange> ranges;
};

/// The calls inlined into the function whose entry is at `offset`, parents first.
std::vector<InlineNode> read_inlines(const Unit& unit, std::uint64_t offset);

}  // namespace hprof::symbolize
