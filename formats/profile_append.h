// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <vector>

namespace hprof::formats {

/// Copies rows of one profile's tables into another, each at most once, on demand.
/// Lifetime: borrows both profiles.
class ProfileAppender {
 public:
  ProfileAppender(const Profile& from, Profile& to);

  StringId string(StringId id);
  MappingId mapping(MappingId id);
  FunctionId function(FunctionId id);
  LocationId location(LocationId id);
  StackId stack(StackId id);
  LabelSetId labels(LabelSetId id);

 private:
  static constexpr std::uint32_t kUnset = 0xffffffff;

  const Profile& from_;
  Profile& to_;
  std::vector<std::uint32_t> strings_, mappings_, functions_, locations_, stacks_, labels_;
  std::vector<StackId> path_;
  std::vector<Line> line_buffer_;
  std::vector<Label> label_buffer_;
};

}  // namespace hprof::formats
