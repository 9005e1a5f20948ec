// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "legacy_model.h"

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Reads Java's "--- heapz 1 ---" and "--- contentionz 1 ---" texts from their first line on.
Result<Profile> read_java_text(LegacyLines& lines, const ReadOptions& options);
/// Takes the symbol table "0xADDRESS name (file:line)" of a Java profile.
void take_java_symbols(LegacyLines& lines, LegacyProfile& profile);

}  // namespace hprof::formats
