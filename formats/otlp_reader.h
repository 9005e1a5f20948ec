// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// OpenTelemetry profiles, one unframed ProfilesData message of the Alpha schema (a dictionary with a
/// stack table; schema URL 1.37). Each sample type becomes a column, attributes become labels;
/// resource attributes too where there are several resources, else comments.
/// Errors: malformed_input for a broken message and for indexes outside their table.
Sniff sniff_otlp(const SniffInput& input);
Result<Profile> read_otlp(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
