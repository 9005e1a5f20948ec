// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stop_signals.h"
#include "terminal.h"

#include <hprof/core/capture/launched_command.h>

namespace hprof::cli {

/// The exit status of `record -- COMMAND` once the profile is written: the command's own, 128 + the
/// signal that ended it, and `own` where that is 0. Waits for a command that still runs.
/// Ctrl-C reached the command too and gives 130; a signal to hprof alone leaves it running and
/// gives `own`. Source: SPEC.md section 2.
Result<int> wait_for_command(LaunchedCommand& command, StopSignals& signals, Terminal& terminal,
                             int own);

}  // namespace hprof::cli
