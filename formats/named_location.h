// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <array>
#include <string_view>

namespace hprof::formats {

/// A frame of a format that knows names but no addresses.
struct NamedFrame {
  std::string_view name;
  std::string_view file = {};
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::int64_t start_line = 0;
};

inline LocationId named_location(Profile& profile, const NamedFrame& frame) {
  const StringId name = profile.intern(frame.name.empty() ? "[unknown]" : frame.name);
  const FunctionId function = profile.intern_function({.name = name,
                                                       .system_name = name,
                                                       .filename = profile.intern(frame.file),
                                                       .start_line = frame.start_line});
  const std::array<Line, 1> lines = {
      Line{.function = function, .line = frame.line, .column = frame.column}};
  return profile.intern_location(0, 0, lines);
}

}  // namespace hprof::formats
