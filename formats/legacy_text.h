// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "legacy_model.h"

#include <hprof/formats/registry.h>

#include <string>

namespace hprof::formats {

/// All of a text, decoded. Errors: malformed_input, prefixed with `format`, beyond the limits.
Result<std::string> read_legacy_text(ByteSource& source, const ReadOptions& options,
                                     std::string_view format);

/// The first line of a text that is neither blank nor a comment.
std::string first_legacy_line(const SniffInput& input);

/// Takes "#	0xADDRESS	FUNCTION+0xOFFSET	FILE:LINE" and "# labels: {…}", which Go prints
/// below a stack, into the names and labels of the last sample. Other comments are passed over.
void take_go_comment(std::string_view line, LegacyProfile& profile);

/// "N: B [N: B] @ REST".
struct HeapCounts {
  std::int64_t in_use = 0;
  std::int64_t in_use_bytes = 0;
  std::int64_t allocated = 0;
  std::int64_t allocated_bytes = 0;
  std::string_view rest;  ///< behind the '@', or behind the bracket where there is none
};
std::optional<HeapCounts> parse_heap_counts(std::string_view text);

/// Adds the values and the label of one heap line to `sample`. False if a size has no count.
[[nodiscard]] bool add_heap_values(const HeapCounts& counts, bool with_allocated, std::int64_t rate,
                                   LegacyProfile::Sample& sample);

}  // namespace hprof::formats
