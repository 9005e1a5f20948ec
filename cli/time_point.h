// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <cstdint>
#include <string_view>

namespace hprof::cli {

/// A moment as --since and --until take it, in ns since 1970 UTC: RFC 3339
/// ("2026-11-30T03:00:00Z", "+01:00" or nothing, for local, at its end), "HH:MM[:SS]" (local, the
/// latest such moment that is past), "@SECONDS" since 1970, "-10m" before `now_ns`.
/// Errors: usage, quoting the text.
Result<std::int64_t> parse_time_point(std::string_view text, std::int64_t now_ns);

}  // namespace hprof::cli
