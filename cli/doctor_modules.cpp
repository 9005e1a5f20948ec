// SPDX-License-Identifier: Apache-2.0
#include "doctor_modules.h"

#include <hprof/core/target/module_registry.h>
#include <hprof/symbolize/name_sources.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hprof::cli {
namespace {

constexpr std::size_t kNamesShown = 6;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<ModulePtr> file_modules(const AddressSpace& space) {
  std::vector<ModulePtr> modules;
  std::set<const Module*> seen;
  for (const MappedRange& range : space.ranges()) {
    if (range.module == nullptr || range.module->kind != ModuleKind::file) continue;
    if (seen.insert(range.module.get()).second) modules.push_back(range.module);
  }
  return modules;
}

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kNamesShown);
  const std::span<const std::string> first{names.data(), shown};
  return names.size() > shown
             ? fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - shown)
             : fmt::format("{}", fmt::join(first, ", "));
}

Finding readable_finding(const std::vector<ModulePtr>& modules) {
  std::vector<std::string> unreadable;
  for (const ModulePtr& module : modules) {
    if (module->unreadable.empty()) continue;
    unreadable.push_back(fmt::format("{} ({})", base_name(module->path), module->unreadable));
  }
  Finding finding{"mapped files", Health::good, fmt::format("{} can be read", modules.size()), {}};
  if (!unreadable.empty()) {
    finding.health = Health::limited;
    finding.what = "cannot be read: " + listed(unreadable);
    finding.fix = "run as the target's user or as root";
  }
  return finding;
}

}  // namespace

Findings module_findings(int pid, const Options& options) {
  ModuleRegistry registry{ProcFs{options.target.proc_root}};
  const auto space = registry.read_address_space(pid);
  if (!space) return {{"mapped files", Health::bad, space.error().message, space.error().hint}};
  const std::vector<ModulePtr> modules = file_modules(*space);
  Findings findings = {readable_finding(modules)};
  symbolize::SymbolizerOptions where;
  where.debug_dirs = options.symbols.debug_dirs;
  where.sysroot = options.symbols.sysroot;
  std::vector<std::string> poor;
  for (const ModulePtr& module : modules) {
    if (!module->unreadable.empty()) continue;
    const symbolize::NameSources sources = symbolize::find_name_sources(*module, where);
    if (!sources.names_everything()) {
      poor.push_back(fmt::format("{}: {}", base_name(module->path), sources.sentence()));
    }
  }
  Finding names{"names", Health::good, "every file has symbols or debug info", {}};
  if (!poor.empty()) {
    names.health = Health::limited;
    names.what =
        fmt::format("{} of {} files lack symbols: {}", poor.size(), modules.size(), listed(poor));
    names.fix =
        "install their -dbgsym or -dbg packages, name a folder with --debug-dir, or set "
        "DEBUGINFOD_URLS and use --debuginfod";
  }
  findings.push_back(std::move(names));
  return findings;
}

}  // namespace hprof::cli
