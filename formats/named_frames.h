// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hprof::formats {

/// Makes locations of frames that a text knows by name only. Lifetime: borrows the profile.
class NamedFrames {
 public:
  explicit NamedFrames(Profile& profile) : profile_(profile) {}

  struct Frame {
    std::string_view name;  ///< empty: unknown
    std::string_view file = {};
    std::int64_t line = 0;
    std::string_view module = {};
  };
  LocationId location(const Frame& frame, std::uint64_t address = 0);
  MappingId module(std::string_view name);

 private:
  Profile& profile_;
  std::map<std::string, MappingId, std::less<>> modules_;
};

}  // namespace hprof::formats
