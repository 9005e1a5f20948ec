// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

// A profile has no time of its samples: both formats lay them one behind the other, each as long as
// its value (1 us for each unit where the column is no time).
// Errors of both: unsupported for values below zero; usage for a sample type that is not there.

/// Writes V8's .cpuprofile: nodes, samples and the time between them.
Result<void> write_cpuprofile(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// Writes a trace of complete events ("ph":"X"), a track for each thread, for Perfetto and Chrome.
Result<void> write_chrome_trace(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
