// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hprof {

/// One value column of a kind.
struct KindValue {
  std::string_view type;
  std::string_view unit;
};

/// One kind of profile: a row in kinds.cpp. Names and columns are those of Go's pprof.
/// Source: SPEC.md section 3.
struct Kind {
  std::string_view name;
  std::string_view alias;  ///< another name it goes by, or empty
  std::span<const KindValue> values;
  std::string_view default_type;  ///< the column that weighs outputs which hold one
  /// A window covers the time between two cuts; a snapshot shows one moment.
  bool is_window = false;
};

/// All kinds, in the order of the documentation.
std::span<const Kind> all_kinds();
/// By name or alias, or nullptr. Case counts.
const Kind* find_kind(std::string_view name);
/// "cpu, wall, ...": for messages.
std::string known_kinds();

}  // namespace hprof
