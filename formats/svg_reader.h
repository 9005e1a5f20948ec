// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// The stacks of a flame graph picture made by hprof, inferno or flamegraph.pl, from the rectangles
/// and their titles. Frames left out of the picture for being too narrow count for their callers.
/// Errors: malformed_input if there are no such rectangles.
Sniff sniff_svg(const SniffInput& input);
Result<Profile> read_svg(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
