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
  for (StackId id = 1; id <= profile.stack_count(); ++id) {
    const LocationId location = profile.stack(id).location;
    ModuleCoverage* module = module_of(location);
    if (module == nullptr) continue;
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
