// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes the processed profile of profiler.firefox.com in version 48, which its front end upgrades:
/// a thread for each thread, modules as libraries, inlined frames as such. A profile has no time of
/// its samples: they stand one behind the other, each as long as its value.
/// Errors: unsupported for values below zero; usage for a sample type that is not there; the sink's.
Result<void> write_firefox(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
