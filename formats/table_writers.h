// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes one line for each function (RFC 4180, with a header line): name, module, file, and flat and
/// cumulative value for each column. Errors: the sink's.
Result<void> write_csv(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// Writes a report for people: how the profile was made and its top functions (options.top_count, 0:
/// 30). Errors: usage for a sample type that is not there; the sink's.
Result<void> write_markdown(const Profile& profile, ByteSink& sink, const WriteOptions& options);

/// Writes everything a profile holds as one JSON object of hprof's own: tables, then samples, one a
/// line, stacks root first. Errors: the sink's.
Result<void> write_json(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
