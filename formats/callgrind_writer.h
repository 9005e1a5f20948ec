// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes callgrind's format with all value columns as events and name compression. Each call line says
/// calls=1, for the number of calls is unknown, and carries the inclusive cost. A function that recurs
/// in a stack passes the cost on once, where it is called last, so that own cost and calls of a
/// function add up to its inclusive cost.
/// Errors: unsupported for values below zero; the sink's. Source: Valgrind manual, callgrind format.
Result<void> write_callgrind(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
