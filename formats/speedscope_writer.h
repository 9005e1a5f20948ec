// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes speedscope's file format (0.6.0): one sampled profile for each value column and thread.
/// Errors: unsupported for values below zero; the sink's. Source: speedscope, file-format-spec.ts.
Result<void> write_speedscope(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
