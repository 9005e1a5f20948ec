// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/kinds.h>
#include <hprof/core/services/dump_config.h>

#include <fmt/format.h>

#include <algorithm>

namespace hprof {
namespace {

Error usage(std::string message, std::string hint = {}) {
  return {ErrorKind::usage, std::move(message), std::move(hint)};
}

Result<void> check_kind(const DumpKind& kind) {
  if (find_kind(kind.kind) == nullptr) {
    return usage(fmt::format("unknown profile kind '{}'", kind.kind),
                 fmt::format("known kinds: {}", known_kinds()));
  }
  if (kind.interval < std::chrono::nanoseconds{0}) {
    return usage(fmt::format("the interval of {} is negative", kind.kind));
  }
  if (kind.debug < 0 || kind.debug > 2) {
    return usage(fmt::format("debug level {} of {} is not 0, 1 or 2", kind.debug, kind.kind));
  }
  return {};
}

}  // namespace

Result<void> check_dump_config(const DumpConfig& config) {
  if (config.folder.empty()) return usage("the folder for dumps is empty", "--folder ./profiles");
  if (config.kinds.empty()) return usage("there is no kind to dump", "-k cpu");
  for (std::size_t i = 0; i < config.kinds.size(); ++i) {
    HPROF_TRY(check_kind(config.kinds[i]));
    for (std::size_t j = 0; j < i; ++j) {
      if (config.kinds[j].kind == config.kinds[i].kind) {
        return usage(fmt::format("kind {} is given twice", config.kinds[i].kind));
      }
    }
  }
  return {};
}

}  // namespace hprof
