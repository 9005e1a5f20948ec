// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/arch.h"

#include <hprof/core/base/bytes.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace hprof::symbolize {

/// How the caller's value of a register is found.
struct RegisterRule {
  enum class Kind : std::uint8_t {
    same,            ///< not touched
    undefined,       ///< lost; for the return address: there is no caller
    offset,          ///< stored at CFA + value
    val_offset,      ///< is CFA + value
    reg,             ///< is in register `value`
    expression,      ///< stored at the address the expression yields
    val_expression,  ///< is what the expression yields
  };
  Kind kind = Kind::same;
  std::int64_t value = 0;
  Bytes expression;  ///< borrows the section
};

/// How the canonical frame address is found.
struct CfaRule {
  bool by_expression = false;
  std::uint64_t reg = 0;
  std::int64_t offset = 0;
  Bytes expression;
};

/// Everything a row of CFI can say; for the few rows that a compact one cannot hold.
struct DetailedRow {
  CfaRule cfa;
  std::vector<std::pair<std::uint8_t, RegisterRule>> rules;
};

/// One row of a compiled table: what holds for a range of pcs. Plain data without pointers.
struct UnwindRow {
  enum class Kind : std::uint8_t {
    none,      ///< no table covers the address
    compact,   ///< CFA = register + offset, registers at multiples of 8 from it
    detailed,  ///< see CfiTables::detailed(index)
    root,      ///< the return address is undefined: the outermost frame
  };
  Kind kind = Kind::none;
  bool signal_frame = false;  ///< the caller was interrupted, its pc is exact
  std::uint8_t cfa_register = 0;
  std::int32_t cfa_offset = 0;  ///< detailed: the index instead
  /// Where kSavedRegisters are stored, in words of 8 bytes from the CFA.
  std::array<std::int16_t, kSavedRegisters.size()> saved{};
  std::uint16_t saved_mask = 0;  ///< bit by index: the others keep their value
};

}  // namespace hprof::symbolize
