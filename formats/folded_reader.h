// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

namespace hprof::formats {

Sniff sniff_folded(const SniffInput& input);

/// Reads folded stacks: "root;caller;leaf COUNT" lines, "# key: value" comments, blank lines.
/// One sample type `samples/count`; fractions are kept in a finer unit ("count/100") and noted.
/// With `options.diff` a line has two counts, before and after: the result is what --diff-base
/// makes, the base's samples negative with the label pprof::base.
/// Errors: malformed_input if no line is a stack.
Result<Profile> read_folded(ByteSource& source, const ReadOptions& options);

}  // namespace hprof::formats
