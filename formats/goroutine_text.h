// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_goroutine_text(const SniffInput& input);

/// Reads Go's goroutine dump (debug=2, or what a panic prints): `goroutine/count`, 1 for each.
/// Labels: state, wait (minutes), created_by.
/// Errors: malformed_input if there is no goroutine.
Result<Profile> read_goroutine_text(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
