// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hprof {

/// A number in a unit; the unit is empty where it is not worth showing.
struct Scaled {
  double value = 0;
  std::string unit;
};

/// `value` of unit `from` in unit `to` ("auto" and "minimum": the largest that keeps it at 1 or
/// more). Knows bytes (powers of 1024), time and GCU; another unit keeps the value.
/// Source: google/pprof, internal/measurement.
Scaled scale(std::int64_t value, std::string_view from, std::string_view to);

/// "12.50MB": scale() with two decimals, none if they are zero.
std::string scaled_label(std::int64_t value, std::string_view from, std::string_view to);

/// How many units `to` one `from` is; 1 where they are not of one family.
double unit_ratio(std::string_view from, std::string_view to);

/// Whether both are equal or of one family.
bool units_convertible(std::string_view a, std::string_view b);

}  // namespace hprof
