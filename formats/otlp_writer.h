// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// Writes OpenTelemetry's ProfilesData (opentelemetry-proto 1.11.0, profiles v1development, Alpha):
/// one Profile for each value column over one dictionary; labels become attributes of samples, build
/// ids of mappings. Errors: the sink's. Source: opentelemetry-proto, profiles.proto.
Result<void> write_otlp(const Profile& profile, ByteSink& sink, const WriteOptions& options);

}  // namespace hprof::formats
