// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/dwarf_file.h"
#include "symbolize/interval_map.h"

namespace hprof::symbolize {

/// Which unit describes the code at an address, by the root entries alone: what a unit says about
/// itself is always there, .debug_aranges (clang writes none) is not.
IntervalMap index_units(const DwarfFile& file);

}  // namespace hprof::symbolize
