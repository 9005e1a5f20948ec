// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"

#include <hprof/core/base/result.h>

namespace hprof::cli {

/// `hprof migrate-config FILE`. Source: SPEC.md section 7.
Result<int> run_migrate_config(Options& options);

}  // namespace hprof::cli
