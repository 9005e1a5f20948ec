// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Which threads count: by id, by a regular expression that is found in the name, or both.
class ThreadFilter {
 public:
  /// Everything passes where both are empty. `pattern` is ECMAScript, searched, not anchored.
  /// Errors: usage if the pattern is malformed.
  static Result<ThreadFilter> make(std::span<const int> tids, const std::string& pattern);

  ThreadFilter() = default;
  [[nodiscard]] bool empty() const { return tids_.empty() && pattern_ == nullptr; }
  [[nodiscard]] std::span<const int> tids() const { return tids_; }
  [[nodiscard]] bool passes(int tid, std::string_view name) const;

 private:
  struct Pattern;
  std::vector<int> tids_;
  std::shared_ptr<const Pattern> pattern_;
};

}  // namespace hprof
