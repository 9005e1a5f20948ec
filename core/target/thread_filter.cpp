// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/thread_filter.h>

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace hprof {

struct ThreadFilter::Pattern {
  std::regex regex;
};

Result<ThreadFilter> ThreadFilter::make(std::span<const int> tids, const std::string& pattern) {
  ThreadFilter filter;
  filter.tids_.assign(tids.begin(), tids.end());
  std::ranges::sort(filter.tids_);
  if (pattern.empty()) return filter;
  try {
    filter.pattern_ = std::make_shared<Pattern>(Pattern{std::regex{pattern}});
  } catch (const std::regex_error& error) {
    return Error{ErrorKind::usage,
                 fmt::format("thread pattern '{}': {}", pattern, error.what()), {}};
  }
  return filter;
}

bool ThreadFilter::passes(int tid, std::string_view name) const {
  if (!tids_.empty() && !std::ranges::binary_search(tids_, tid)) return false;
  return pattern_ == nullptr || std::regex_search(name.begin(), name.end(), pattern_->regex);
}

}  // namespace hprof
