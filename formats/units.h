// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hprof::formats {

/// A value in another unit; `unit` is empty where naming it says nothing ("count").
struct Scaled {
  double value = 0;
  std::string_view unit;
};

/// Converts between units of one family: bytes by powers of 1024, time, GCU. `to` may be "auto", which
/// chooses the largest unit with a value of at least 1. An unknown unit is kept as it is.
/// Lifetime: `unit` borrows `to` or is static. Source: google/pprof, internal/measurement.
Scaled scale(std::int64_t value, std::string_view from, std::string_view to);

/// "1.10s", "62.50MB", "0": two decimals, none where they are zero.
std::string scaled_label(std::int64_t value, std::string_view from, std::string_view to = "auto");

/// "98.21%", "  100%", " 0.89%": six characters wide, two significant digits. Never negative.
std::string percentage(std::int64_t value, std::int64_t total);

/// A value of a column as people read it: "1,234 samples", "1.10s", "62.50MB", "5,000 cycles".
std::string value_text(std::int64_t value, std::string_view type, std::string_view unit);

/// "1,234,567".
std::string grouped_digits(std::int64_t value);

/// The unit for a report whose smallest shown value is `smallest` and whose total is `largest`: a
/// larger one where the smallest would still be 0.01 in it. Source: google/pprof, selectOutputUnit.
std::string report_unit(std::int64_t smallest, std::int64_t largest, std::string_view unit);

}  // namespace hprof::formats
