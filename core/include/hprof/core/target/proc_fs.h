// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// The /proc file system, or a tree that looks like it (tests, --proc-root).
class ProcFs {
 public:
  explicit ProcFs(std::string root = "/proc") : root_(std::move(root)) {}

  [[nodiscard]] const std::string& root() const { return root_; }
  /// "<root>/<pid>/<name>".
  [[nodiscard]] std::string path(int pid, std::string_view name = {}) const;
  /// The whole text of <root>/<name>, at most `limit` bytes. Errors: as open(2) and read(2);
  /// a process that vanished is target_gone.
  [[nodiscard]] Result<std::string> read(std::string_view name,
                                         std::size_t limit = std::size_t{64} << 20) const;
  [[nodiscard]] Result<std::string> read(int pid, std::string_view name) const;
  /// What the symbolic link <root>/<pid>/<name> says.
  [[nodiscard]] Result<std::string> read_link(int pid, std::string_view name) const;
  /// Every process, ascending.
  [[nodiscard]] std::vector<int> pids() const;
  /// Every thread of a process, ascending; empty if it is gone.
  [[nodiscard]] std::vector<int> tids(int pid) const;

 private:
  std::string root_;
};

/// The text of any small file of the kernel (/proc, /sys), at most `limit` bytes.
Result<std::string> read_text_file(const std::string& path,
                                   std::size_t limit = std::size_t{64} << 20);

}  // namespace hprof
