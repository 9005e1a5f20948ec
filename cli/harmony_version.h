// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <compare>
#include <string>
#include <string_view>

namespace hprof::cli {

/// The `Version` of a harmony.conf. A pre-release mark or build number is accepted and ignored.
struct HarmonyVersion {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  auto operator<=>(const HarmonyVersion&) const = default;
  [[nodiscard]] std::string text() const;
};

inline constexpr HarmonyVersion kOldestHarmonyStep{1, 0, 4};
inline constexpr HarmonyVersion kNewestHarmony{2, 6, 8};
/// What an error about a version says is accepted.
inline constexpr std::string_view kHarmonyRange = "accepted: \"1.0.0\" to \"2.6.8\"";

/// "2.5.3", "v2.5.3", "2.5" (2.5.0), "1.0.4-rc1" (1.0.4). Below 1.0.4 counts as 1.0.4, the oldest
/// shape there is a difference to. Errors: malformed_input with the accepted range.
/// Source: SPEC.md section 7.
Result<HarmonyVersion> parse_harmony_version(std::string_view text);

}  // namespace hprof::cli
