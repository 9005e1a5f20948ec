// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes a flame graph as valid XML 1.0 with its script inside: zoom with history, regex search with
/// the matched share, fluid width, dark mode. A group of class-less `rect`s below the svg "frames"
/// carries exact values in the attributes of inferno, so that it can be read back: fg:x and fg:w in
/// units of the column, of total_samples. Options: title, inverted, reverse, min_width (0: 0.01 %),
/// negative (colours show the change). What is narrower is counted in a note.
/// Errors: usage for a sample type that is not there; the sink's.
Result<void> write_flamegraph_svg(const Profile& profile, ByteSink& sink,
                                  const WriteOptions& options);

}  // namespace hprof::formats
