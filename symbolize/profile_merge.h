// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/module_job.h"

namespace hprof::symbolize {

/// Writes the names that a job found into the profile: lines of locations, flags of mappings.
void merge_names(const ModuleJob& job, bool no_inlines, Profile& profile);

}  // namespace hprof::symbolize
