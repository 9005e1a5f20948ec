// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwind_state.h"

#include <optional>

namespace hprof::symbolize {

/// Evaluates a DWARF expression as CFI uses them. `bias` is added to DW_OP_addr; `initial`, if
/// there is one, is pushed first (the CFA, for register rules).
/// Limits: 64 values on its stack, 1000 operations. Absent: malformed, beyond a limit, an unknown
/// operation, unreadable memory or a register nobody knows. Source: DWARF 5, section 2.5.
std::optional<std::uint64_t> evaluate_expression(Bytes expression, const UnwindState& state,
                                                 StackMemory& memory, std::uint64_t bias,
                                                 std::optional<std::uint64_t> initial);

}  // namespace hprof::symbolize
