// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>
#include <hprof/core/profile/profile.h>

namespace hprof {

/// Encodes a profile; what services need of a format without knowing one.
class ProfileWriter {
 public:
  virtual ~ProfileWriter() = default;
  virtual Result<void> write(const Profile& profile, ByteSink& sink) const = 0;
};

}  // namespace hprof
