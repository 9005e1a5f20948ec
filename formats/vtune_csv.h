// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_vtune(const SniffInput& input);

/// Reads the call tree that VTune exports as CSV: "Function Stack,CPU Time:Self,Module", callees
/// indented. Sample type: cpu/nanoseconds.
/// Errors: malformed_input with the line.
Result<Profile> read_vtune(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
