// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <string>
#include <string_view>

namespace hprof::cli {

/// The whole text of a file a user named, at most 64 MiB. Errors: as open(2); malformed_input for a
/// larger one.
Result<std::string> read_text_file(const std::string& path);

/// Copies the file behind `path` (symbolic links followed) to a name beside it that was free:
/// "x.backup", "x.backup-2", ... Mode and owner are kept. Returns the name.
Result<std::string> back_up_file(const std::string& path);

/// Gives the file behind `path` new content, all at once: a reader sees the old or the new text,
/// also after a crash. Symbolic links are followed; mode and owner are kept.
Result<void> replace_text_file(const std::string& path, std::string_view text);

/// Writes a new file; an existing one is an error unless `force`.
Result<void> create_text_file(const std::string& path, std::string_view text, bool force);

}  // namespace hprof::cli
