// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/kinds.h>

#include <algorithm>

namespace hprof {
namespace {

constexpr KindValue kCpu[] = {{"samples", "count"}, {"cpu", "nanoseconds"}};
constexpr KindValue kWall[] = {{"samples", "count"}, {"wall", "nanoseconds"}};
constexpr KindValue kOffCpu[] = {{"events", "count"}, {"offcpu", "nanoseconds"}};
constexpr KindValue kHeap[] = {{"alloc_objects", "count"},
                               {"alloc_space", "bytes"},
                               {"inuse_objects", "count"},
                               {"inuse_space", "bytes"}};
constexpr KindValue kGoroutine[] = {{"goroutine", "count"}};
constexpr KindValue kThreadCreate[] = {{"threadcreate", "count"}};
constexpr KindValue kContention[] = {{"contentions", "count"}, {"delay", "nanoseconds"}};

constexpr Kind kKinds[] = {
    {"cpu", "", kCpu, "cpu", true},
    {"wall", "", kWall, "wall", true},
    {"offcpu", "", kOffCpu, "offcpu", true},
    {"heap", "", kHeap, "inuse_space", false},
    {"allocs", "", kHeap, "alloc_space", false},
    {"goroutine", "threads", kGoroutine, "goroutine", false},
    {"threadcreate", "", kThreadCreate, "threadcreate", false},
    {"block", "", kContention, "delay", false},
    {"mutex", "", kContention, "delay", false},
};

}  // namespace

std::span<const Kind> all_kinds() { return kKinds; }

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find_if(kKinds, [name](const Kind& kind) {
    return kind.name == name || (!kind.alias.empty() && kind.alias == name);
  });
  return found == std::end(kKinds) ? nullptr : found;
}

std::string known_kinds() {
  std::string out;
  for (const Kind& kind : kKinds) {
    if (!out.empty()) out += ", ";
    out += kind.name;
  }
  return out;
}

}  // namespace hprof
