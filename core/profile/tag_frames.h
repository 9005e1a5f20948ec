// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <span>
#include <string>
#include <vector>

namespace hprof {

/// Puts the values of label keys on every stack as frames: `root_keys` above the root, the first of
/// them outermost, `leaf_keys` below the leaf, the last of them innermost. A frame is named by the
/// values, joined by ',', its file by the key. Source: google/pprof, -tagroot and -tagleaf.
void add_tag_frames(Profile& profile, std::span<const std::string> root_keys,
                    std::span<const std::string> leaf_keys, std::vector<std::string>* notes);

}  // namespace hprof
