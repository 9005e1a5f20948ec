// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sample_source.h"

namespace hprof {

struct ChosenSource {
  std::unique_ptr<SampleSource> source;
  CaptureReport report;
};

/// Opens the best engine that works here; or `wanted`, if it is not automatic.
/// Errors: the last rung's, with what every rung said in the message.
Result<ChosenSource> choose_source(const SourceOptions& options, CaptureEngine wanted,
                                   const Permissions& permissions, const ProcFs& proc);

}  // namespace hprof
