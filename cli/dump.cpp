// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "capture_session.h"

#include <fmt/format.h>

namespace hprof::cli {

Result<int> run_dump(Options& options) {
  if (!options.output.quiet && !options.harmony.disabled_in.empty()) {
    fmt::print(stderr, "hprof: {}: Enabled = false is not heeded: dump was asked for\n",
               options.harmony.disabled_in);
  }
  HPROF_ASSIGN(const std::unique_ptr<DumpSignals> signals, DumpSignals::install());
  CaptureSession session{options, *signals, {.dump = true, .serve = false}};
  return session.run();
}

}  // namespace hprof::cli
