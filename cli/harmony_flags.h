// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "load_options.h"

namespace hprof::cli {

/// What the flags of a harmony node mean beyond their values: one of --pprof.addr, --pprof.folder …
/// switches profiling on, unless --pprof itself is given; and the setting that a flag is another
/// name of was set by a flag. Source: harmony's own precedence, kept.
void settle_harmony_flags(const Arguments& arguments, LoadedOptions& loaded);

}  // namespace hprof::cli
