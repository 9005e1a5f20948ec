// SPDX-License-Identifier: Apache-2.0
#include "named_frames.h"

namespace hprof::formats {

MappingId NamedFrames::module(std::string_view name) {
  if (name.empty()) return 0;
  const auto found = modules_.find(name);
  if (found != modules_.end()) return found->second;
  const MappingId id = profile_.add_mapping({.filename = profile_.intern(name), .has_functions = true});
  return modules_.emplace(std::string{name}, id).first->second;
}

LocationId NamedFrames::location(const Frame& frame, std::uint64_t address) {
  const MappingId mapping = module(frame.module);
  if (frame.name.empty()) return profile_.intern_location(mapping, address);
  const StringId name = profile_.intern(frame.name);
  const Line line{profile_.intern_function(
                      {.name = name, .system_name = name, .filename = profile_.intern(frame.file)}),
                  frame.line, 0};
  return profile_.intern_location(mapping, address, {&line, 1});
}

}  // namespace hprof::formats
