// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// The name without its parameter list: "ns::f<int>(char, long) const" is "ns::f<int>". Keeps
/// "operator()", "(anonymous namespace)" and Go's "(*T).Method".
std::string short_function_name(std::string_view name);

/// What drop_frames and keep_frames are matched against: no leading '.', cut at the first '(' that
/// is not part of "(anonymous namespace)" or "operator()". Source: google/pprof, prune.go.
std::string_view simplified_function_name(std::string_view name);

}  // namespace hprof
