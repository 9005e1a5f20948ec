// SPDX-License-Identifier: Apache-2.0
#include "capture_session.h"
#include "commands.h"

namespace hprof::cli {

Result<int> run_serve(Options& options) {
  HPROF_ASSIGN(const std::unique_ptr<DumpSignals> signals, DumpSignals::install());
  CaptureSession session{options, *signals, {.dump = options.dump.wanted, .serve = true}};
  return session.run();
}

}  // namespace hprof::cli
