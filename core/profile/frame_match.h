// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>
#include <hprof/core/profile/regex.h>

#include <vector>

namespace hprof {

/// One pattern against frames of one profile: names, file names and mapping files. Each string is
/// matched once. Lifetime: borrows both.
class FrameMatch {
 public:
  FrameMatch(const Profile& profile, const Regex& pattern)
      : profile_(profile), pattern_(pattern), known_(profile.strings().size(), kUnknown) {}

  bool line(const Line& line) {
    const Function& f = profile_.function(line.function);
    return text(f.name) || text(f.filename);
  }
  bool mapping(LocationId id) {
    const MappingId mapping = profile_.location(id).mapping;
    return mapping != 0 && text(profile_.mapping(mapping).filename);
  }
  bool location(LocationId id) {
    for (const Line& l : profile_.lines(id)) {
      if (line(l)) return true;
    }
    return mapping(id);
  }

 private:
  enum State : char { kUnknown, kYes, kNo };

  bool text(StringId id) {
    State& state = known_[id];
    if (state == kUnknown) state = pattern_.matches(profile_.string(id)) ? kYes : kNo;
    return state == kYes;
  }

  const Profile& profile_;
  const Regex& pattern_;
  std::vector<State> known_;
};

}  // namespace hprof
