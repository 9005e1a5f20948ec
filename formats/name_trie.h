// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frame_names.h"

#include <hprof/core/base/intern_table.h>
#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <vector>

namespace hprof::formats {

/// A path of names from the root. Id 0 is the empty path; parents have smaller ids than children.
using PathId = std::uint32_t;

/// The stacks of a profile merged by the names they show, inlined frames expanded.
class NameTrie {
 public:
  struct Path {
    PathId parent = 0;
    NameId name = 0;
  };

  NameTrie(const Profile& profile, const FrameNames& names);

  [[nodiscard]] PathId path_of(StackId stack) const { return path_of_[stack]; }
  [[nodiscard]] const Path& path(PathId id) const { return paths_[id]; }
  /// With the empty path.
  [[nodiscard]] std::size_t size() const { return paths_.size(); }

 private:
  PathId child(PathId parent, NameId name);

  std::vector<Path> paths_{1};
  std::vector<PathId> path_of_;
  InternTable index_;
};

}  // namespace hprof::formats
