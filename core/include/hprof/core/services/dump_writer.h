// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/clock.h>
#include <hprof/core/base/log.h>
#include <hprof/core/services/dump_config.h>

#include <string>
#include <string_view>

namespace hprof {

/// Puts encoded windows into the folder and keeps the history bounded. Disk trouble is said in one
/// line when it begins and one when it ends. One thread uses it.
class DumpWriter {
 public:
  DumpWriter(const Clock& clock, Log log) : clock_(clock), log_(std::move(log)) {}

  /// Makes the folder if it is not there and tries whether files can be made in it.
  Result<void> prepare(const DumpConfig& config);

  /// Writes a new file under a name that was free, then lets the oldest of its kind go as the
  /// limits say. Returns the path. Nothing is deleted where nothing could be written.
  /// Errors: what the file system says; the caller keeps the bytes.
  Result<std::string> write(const DumpConfig& config, const DumpKind& kind, DumpName name,
                            std::string_view bytes);

  [[nodiscard]] std::uint64_t files_written() const { return files_written_; }
  [[nodiscard]] std::uint64_t files_removed() const { return files_removed_; }

 private:
  [[nodiscard]] Result<void> make_folder(const DumpConfig& config) const;
  Result<std::string> write_new(const DumpConfig& config, DumpName name, std::string_view bytes);
  void retain(const DumpConfig& config, const DumpKind& kind);
  bool watch_floor(const DumpConfig& config);

  const Clock& clock_;
  Log log_;
  bool failing_ = false;
  bool below_floor_ = false;
  std::uint64_t files_written_ = 0;
  std::uint64_t files_removed_ = 0;
};

}  // namespace hprof
