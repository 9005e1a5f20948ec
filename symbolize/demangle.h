// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/symbolize/symbolizer.h>

#include <string>
#include <string_view>

namespace hprof::symbolize {

/// The name a person wrote for a symbol: Rust v0 ("_R..."), Rust legacy (only with a valid
/// "17h<16 hex>E" at its end), then Itanium C++. What is none of them, or too long, stays as it is.
std::string demangle(std::string_view mangled, DemangleStyle style);

}  // namespace hprof::symbolize
