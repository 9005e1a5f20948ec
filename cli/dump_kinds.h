// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/capture_service.h>

#include <memory>
#include <string_view>

namespace hprof::cli {

/// What a source of profiles may draw on: one target and the sampler that watches it.
struct DumpedTarget {
  int pid = 0;  ///< 0: the whole system
  CaptureService& capture;
};

/// The source of one kind of one target; a kind that hprof learns to take is a row in
/// dump_kinds.cpp.
/// Errors: unsupported, with what this version takes, or why the kind cannot work on this target.
Result<std::unique_ptr<ProfileSource>> open_dump_source(std::string_view kind,
                                                        const DumpedTarget& target);

}  // namespace hprof::cli
