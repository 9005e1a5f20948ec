// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "dump_session.h"

#include <fmt/format.h>

namespace hprof::cli {

Result<int> run_dump(Options& options) {
  if (!options.output.quiet && !options.harmony.disabled_in.empty()) {
    fmt::print(stderr, "hprof: {}: Enabled = false is not heeded: dump was asked for\n",
               options.harmony.disabled_in);
  }
  HPROF_ASSIGN(const std::unique_ptr<DumpSignals> signals, DumpSignals::install());
  DumpSession session{options, *signals};
  return session.run();
}

}  // namespace hprof::cli
