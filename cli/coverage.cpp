// SPDX-License-Identifier: Apache-2.0
#include "coverage.h"

#include <algorithm>
#include <map>

namespace hprof::cli {
namespace {

/// The samples that pass through each node of the trie.
std::vector<std::uint64_t> node_weights(const Profile& profile) {
  std::vector<std::uint64_t> weights(profile.stack_count() + 1, 0);
  if (profile.sample_types().empty()) return weights;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const std::int64_t value = profile.value(0, row);
    if (value > 0) weights[profile.sample_stack(row)] += static_cast<std::uint64_t>(value);
  }
  // Parents have smaller ids than children.
  for (StackId id = profile.stack_count(); id > 0; --id) {
    weights[profile.stack(id).parent] += weights[id];
  }
  return weights;
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_c_library(std::string_view module) {
  return module.starts_with("libc.so") || module.starts_with("libc-") ||
         module.starts_with("libpthread") || module.starts_with("ld-");
}

/// Nodes that are the way from a thread's root to the program's own code: start-up frames of the C
/// library. They are in every stack, rarely have names, and nobody misses those.
std::vector<bool> start_nodes(const Profile& profile) {
  std::vector<bool> start(profile.stack_count() + 1, false);
  start[0] = true;
  for (StackId id = 1; id <= profile.stack_count(); ++id) {
    if (!start[profile.stack(id).parent]) continue;
    const LocationId location = profile.stack(id).location;
    const MappingId mapping = profile.location(location).mapping;
    const std::string_view module =
        mapping == 0 ? std::string_view{}
                     : base_name(profile.string(profile.mapping(mapping).filename));
    start[id] = is_c_library(module) || frame_name(profile, location, 0) == "_start";
  }
  return start;
}

}  // namespace

std::vector<ModuleCoverage> module_coverage(const Profile& profile) {
  std::map<std::string, ModuleCoverage, std::less<>> by_name;
  const auto module_of = [&](LocationId location) -> ModuleCoverage* {
    const MappingId mapping = profile.location(location).mapping;
    if (mapping == 0) return nullptr;
    std::string name{base_name(profile.string(profile.mapping(mapping).filename))};
    return &by_name[std::move(name)];
  };
  const std::vector<std::uint64_t> weights = node_weights(profile);
  const std::vector<bool> is_start = start_nodes(profile);
  for (StackId id = 1; id <= profile.stack_count(); ++id) {
    const LocationId location = profile.stack(id).location;
    ModuleCoverage* module = module_of(location);
    if (module == nullptr || is_start[id]) continue;
    module->frames += weights[id];
    if (!profile.lines(location).empty()) module->named += weights[id];
  }
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const StackId stack = profile.sample_stack(row);
    ModuleCoverage* module = stack == 0 ? nullptr : module_of(profile.stack(stack).location);
    if (module != nullptr) module->leaves += static_cast<std::uint64_t>(profile.value(0, row));
  }
  std::vector<ModuleCoverage> sorted;
  for (auto& [name, module] : by_name) {
    module.name = name;
    sorted.push_back(std::move(module));
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &ModuleCoverage::frames);
  return sorted;
}

}  // namespace hprof::cli
