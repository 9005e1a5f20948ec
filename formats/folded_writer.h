// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes `root;…;leaf COUNT` lines in the order of the samples, stacks of equal names merged.
/// `;` in a name becomes `:`, control characters become spaces. Zero counts are left out.
/// A difference (options.negative, or a value below zero) becomes `stack BEFORE AFTER`.
/// Errors: usage for a sample type that is not there; the sink's.
Result<void> write_folded(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// The same, always with two counts: `stack BEFORE AFTER`.
Result<void> write_diff_folded(const Profile& profile, ByteSink& sink,
                               const WriteOptions& options);

}  // namespace hprof::formats
