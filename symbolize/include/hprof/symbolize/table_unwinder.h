// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/unwinder.h>

#include <cstdint>
#include <memory>

namespace hprof::symbolize {

/// What frames are found by.
enum class UnwindBy : std::uint8_t {
  tables_then_frame_pointers,  ///< frame pointers only where no table covers the address
  tables,                      ///< never a frame pointer
  frame_pointers,              ///< never a table
};

struct UnwindOptions {
  UnwindBy by = UnwindBy::tables_then_frame_pointers;
  /// Compiled rows that are kept, about; beyond it they are thrown away and compiled anew.
  std::size_t max_table_bytes = std::size_t{64} << 20;
};

/// An unwinder by .eh_frame, .debug_frame, Go's pclntab and frame pointers. Tables are read from
/// the bytes of the modules in the address space, on first use, and shared between processes.
std::unique_ptr<Unwinder> make_unwinder(UnwindOptions options = {});

}  // namespace hprof::symbolize
