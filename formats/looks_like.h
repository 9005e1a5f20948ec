// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <string>

namespace hprof::formats {

/// What bytes that are no profile seem to be: "an ELF binary", "a PNG image", "text: 'first line'".
std::string looks_like(Bytes head);

}  // namespace hprof::formats
