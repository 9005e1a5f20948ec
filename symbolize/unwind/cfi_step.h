// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/cfi_tables.h"
#include "symbolize/unwind/stack_memory.h"
#include "symbolize/unwind/unwind_state.h"

namespace hprof::symbolize {

/// Steps to the caller by a row of a table. `bias` is run-time minus linked address.
/// On truncated the state is good for nothing. Of the new state only pc == 0 is looked at (root):
/// whether it leads anywhere is the caller's to check.
StepEnd step_by_row(const UnwindRow& row, const CfiTables& tables, std::uint64_t bias,
                    StackMemory& memory, UnwindState& state);

}  // namespace hprof::symbolize
