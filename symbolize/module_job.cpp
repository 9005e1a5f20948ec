// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_job.h"

#include <map>

namespace hprof::symbolize {
namespace {

struct JobKey {
  std::string build_id;
  const Module* module = nullptr;  // only where there is no build-id
  auto operator<=>(const JobKey&) const = default;
};

std::string build_id_of(const Module& module) {
  if (module.kind == ModuleKind::kernel || module.kind == ModuleKind::jit) return {};
  if (const auto image = ElfImage::parse(module.bytes()); image) {
    if (std::string id = image->build_id(); !id.empty()) return id;
  }
  return module.build_id;
}

std::uint64_t offset_in(const Mapping& mapping, const Module& module, std::uint64_t address) {
  if (module.kind == ModuleKind::kernel || module.kind == ModuleKind::jit) return address;
  return address - mapping.start + mapping.file_offset;
}

}  // namespace

std::vector<ModuleJob> make_jobs(RawProfile& raw) {
  Profile& profile = raw.profile;
  std::vector<ModuleJob> jobs;
  std::map<JobKey, std::size_t> by_key;
  std::map<MappingId, std::size_t> by_mapping;
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    const Location& location = profile.location(id);
    if (location.line_count != 0 || location.mapping == 0) continue;
    if (location.mapping >= raw.modules.size() || !raw.modules[location.mapping]) continue;
    const ModulePtr& module = raw.modules[location.mapping];
    auto known = by_mapping.find(location.mapping);
    if (known == by_mapping.end()) {
      std::string build_id = build_id_of(*module);
      Mapping& mapping = profile.mapping(location.mapping);
      if (mapping.build_id == 0 && !build_id.empty()) mapping.build_id = profile.intern(build_id);
      const JobKey key{build_id, build_id.empty() ? module.get() : nullptr};
      const auto [job, fresh] = by_key.emplace(key, jobs.size());
      if (fresh) {
        jobs.emplace_back();
        jobs.back().module = module;
        jobs.back().build_id = std::move(build_id);
      }
      known = by_mapping.emplace(location.mapping, job->second).first;
    }
    ModuleJob& job = jobs[known->second];
    job.places.push_back(
        {.location = id,
         .offset = offset_in(profile.mapping(location.mapping), *module, location.address)});
  }
  return jobs;
}

}  // namespace hprof::symbolize
