// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

namespace hprof::cli {

Result<int> run_record(Options& options) {
  if (options.target.pids.empty() && options.target.command.empty()) {
    return Error{ErrorKind::usage, "no target", "give a PID, --name NAME or -- COMMAND"};
  }
  return Error{ErrorKind::unsupported, "cannot record: the engine is not built in", {}};
}

}  // namespace hprof::cli
