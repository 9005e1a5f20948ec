// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor_checks.h"
#include "options.h"

namespace hprof::cli {

/// Whether the code mapped into a process can be read, and what its functions' names can come from.
Findings module_findings(int pid, const Options& options);

}  // namespace hprof::cli
