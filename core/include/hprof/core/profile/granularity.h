// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>

#include <string_view>

namespace hprof {

/// What makes two frames one.
enum class Granularity {
  keep,           ///< as recorded
  addresses,      ///< address, function, file and line
  lines,          ///< function, file and line
  filefunctions,  ///< function and file
  functions,      ///< function
  files,          ///< file, which becomes the frame's name
  modules,        ///< module, which becomes the frame's name; runs of one module become one frame
};

/// By name, as --granularity takes it. Errors: usage, naming the known ones.
Result<Granularity> parse_granularity(std::string_view name);

struct AggregateOptions {
  Granularity granularity = Granularity::keep;
  bool no_inlines = false;   ///< only the physical function of each location
  bool short_names = false;  ///< parameter lists go
};

/// Gives every frame just the detail asked for. Rows that became equal stay apart; see compact().
void aggregate(Profile& profile, const AggregateOptions& options);

}  // namespace hprof
