// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json_document.h"

#include <hprof/core/profile/profile.h>

namespace hprof::formats {

// One thread of a Firefox profile into a profile with the columns samples/count and
// wall/nanoseconds. A sample lasts until the next one of its thread, the last one an interval.

/// As the browser sends it: tables of rows, with a schema that names the columns.
Result<void> add_gecko_thread(Profile& profile, JsonElement thread, double interval_ms);

/// As the web page saves it: tables of columns. `shared` holds the tables that threads share since
/// version 55; it is the thread itself before.
Result<void> add_processed_thread(Profile& profile, JsonElement thread, JsonElement shared,
                                  double interval_ms);

}  // namespace hprof::formats
