// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::formats {

/// The threads that samples are from, told apart by the labels `thread`, `tid` and `pid`.
class ThreadTable {
 public:
  struct Thread {
    std::string name;  ///< may be empty
    std::string tid;
    std::string pid;
    /// "name (tid)", the part there is of it, or "".
    [[nodiscard]] std::string title() const;
    bool operator==(const Thread&) const = default;
  };

  explicit ThreadTable(const Profile& profile);

  /// In the order in which they come up; one without a name where samples have no such labels.
  [[nodiscard]] const std::vector<Thread>& threads() const { return threads_; }
  [[nodiscard]] std::uint32_t thread_of(LabelSetId labels) const { return by_labels_[labels]; }

 private:
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> by_labels_;
};

}  // namespace hprof::formats
