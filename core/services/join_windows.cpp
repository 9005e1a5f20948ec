// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/merge.h>
#include <hprof/core/services/dump_engine.h>

namespace hprof {

Result<Profile> join_windows(const Profile& first, const Profile& next) {
  const Profile* both[] = {&first, &next};
  return merge_profiles(both);
}

}  // namespace hprof
