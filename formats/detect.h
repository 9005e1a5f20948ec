// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

/// The readable format of a file by its first bytes and its name, or nullptr.
const Format* detect_format(const SniffInput& input, std::string_view path);

}  // namespace hprof::formats
