// SPDX-License-Identifier: Apache-2.0
#include "symbolize_profile.h"

#include <hprof/core/capture/raw_profile.h>
#include <hprof/symbolize/symbolizer.h>

#include <fmt/format.h>

#include <set>

namespace hprof::cli {
namespace {

std::string path_of(std::string_view filename) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (filename.ends_with(kDeleted)) filename.remove_suffix(kDeleted.size());
  return std::string{filename};
}

ModulePtr module_of(const Profile& profile, const Mapping& mapping, const SymbolOptions& options,
                    std::vector<std::string>& notes) {
  auto module = std::make_shared<Module>();
  module->path = path_of(profile.string(mapping.filename));
  if (!module->path.starts_with('/')) return nullptr;
  module->kind = ModuleKind::file;
  module->build_id = profile.string(mapping.build_id);
  module->unreadable = "no file with its build-id was found";
  if (!module->build_id.empty()) return module;
  const std::string here = options.sysroot + module->path;
  Result<MappedFile> file = MappedFile::open(here);
  if (!file) {
    module->unreadable = file.error().message;
    return module;
  }
  module->file = *std::move(file);
  notes.push_back(fmt::format("{}: the profile has no build-id, names are those of {} today",
                              module->path, here));
  return module;
}

std::set<MappingId> nameless_mappings(const Profile& profile) {
  std::set<MappingId> out;
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    if (profile.lines(id).empty()) out.insert(profile.location(id).mapping);
  }
  return out;
}

}  // namespace

void symbolize_profile(Profile& profile, const SymbolOptions& options,
                       std::vector<std::string>& notes) {
  RawProfile raw;
  const std::set<MappingId> wanted = nameless_mappings(profile);
  raw.modules.resize(profile.mapping_count() + std::size_t{1});
  for (MappingId id = 1; id <= profile.mapping_count(); ++id) {
    if (wanted.contains(id)) {
      raw.modules[id] = module_of(profile, profile.mapping(id), options, notes);
    }
  }
  raw.profile = std::move(profile);
  symbolize::SymbolizerOptions settings;
  settings.debug_dirs = options.debug_dirs;
  settings.sysroot = options.sysroot;
  settings.no_inlines = options.no_inlines;
  settings.debuginfod = options.debuginfod;
  settings.cache = !options.no_cache;
  const std::unique_ptr<Symbolizer> symbolizer = symbolize::make_symbolizer(std::move(settings));
  symbolizer->symbolize(raw, {});
  for (std::string& note : symbolizer->coverage_notes()) notes.push_back(std::move(note));
  profile = std::move(raw.profile);
}

}  // namespace hprof::cli
