// SPDX-License-Identifier: Apache-2.0
#include "dump_kinds.h"

#include <fmt/format.h>

namespace hprof::cli {
namespace {

using Source = Result<std::unique_ptr<ProfileSource>>;

struct Row {
  std::string_view kind;
  Source (*open)(const DumpedTarget&);
};

Source open_cpu(const DumpedTarget& target) { return target.capture.open_source(); }

constexpr Row kRows[] = {
    {"cpu", open_cpu},
};

std::string known() {
  std::string names;
  for (const Row& row : kRows) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.kind);
  return names;
}

}  // namespace

Source open_dump_source(std::string_view kind, const DumpedTarget& target) {
  for (const Row& row : kRows) {
    if (row.kind == kind) return row.open(target);
  }
  return Error{ErrorKind::unsupported,
               fmt::format("hprof {} has no engine for {}", HPROF_VERSION, kind),
               fmt::format("this version dumps: {}", known())};
}

}  // namespace hprof::cli
