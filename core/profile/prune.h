// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>
#include <hprof/core/profile/regex.h>

namespace hprof {

/// Applies the profile's own drop_frames and keep_frames: from the root, behind the first frame that
/// does not match, the first that matches goes with all below it. Errors: malformed_input for an
/// expression that does not compile.
Result<void> prune_profile(Profile& profile);

/// Drops what lies below the frame nearest to the leaf that matches; that frame stays.
void prune_from(Profile& profile, const Regex& pattern);

}  // namespace hprof
