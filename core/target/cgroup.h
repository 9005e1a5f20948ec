// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// The folder of a systemd unit below the cgroup file system (v2 or v1), or nothing. A name without
/// a suffix is a ".service".
std::optional<std::string> find_unit_cgroup(const std::string& cgroup_root, std::string_view unit);

}  // namespace hprof
