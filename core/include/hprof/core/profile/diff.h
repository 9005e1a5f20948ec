// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>

#include <string_view>

namespace hprof {

/// The label that marks samples of the base of a comparison. Source: google/pprof, -diff_base.
inline constexpr std::string_view kBaseLabel = "pprof::base";

enum class DiffKind {
  subtract,  ///< equal samples cancel
  compare,   ///< base samples stay apart, labelled pprof::base=true
};

/// `profile` minus `base`. `normalize` first scales `profile` to the totals of `base`.
/// Errors: those of merging.
Result<Profile> diff_profiles(const Profile& profile, const Profile& base, DiffKind kind,
                              bool normalize);

/// Whether a row belongs to the base of a comparison.
bool is_base_row(const Profile& profile, std::uint32_t row);

/// What percentages of a column refer to: the base's absolute total in a comparison, else the
/// absolute total.
std::int64_t percent_total(const Profile& profile, std::size_t type);

}  // namespace hprof
