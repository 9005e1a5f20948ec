// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/debug_info.h"

#include "symbolize/dwarf/unit_index.h"
#include "symbolize/dwarf/unit_names.h"

namespace hprof::symbolize {

std::unique_ptr<DebugInfo> DebugInfo::open(const ElfImage& image, const std::string& path,
                                           const Module& module, const DebugFinder& finder) {
  std::unique_ptr<DwarfFile> main = DwarfFile::open(image);
  if (!main) return nullptr;
  auto info = std::unique_ptr<DebugInfo>(new DebugInfo(module, finder));
  info->path_ = path;
  info->main_ = std::move(main);
  info->alt_file_ = finder.find_alt(module, image, path);
  if (info->alt_file_) {
    info->alt_ = DwarfFile::open(info->alt_file_->image);
    info->main_->set_alt(info->alt_.get());
  }
  info->units_ = index_units(*info->main_);
  return info;
}

const DebugInfo::Split& DebugInfo::package() const {
  std::call_once(package_once_, [this] {
    package_.file = finder_.find_dwp(module_, path_);
    if (package_.file)
      package_.dwarf = DwarfFile::open(package_.file->image, DwarfFile::Flavour::dwo);
  });
  return package_;
}

std::unique_ptr<Unit> DebugInfo::open_split(const Unit& skeleton, Split& own) const {
  if (const Split& all = package(); all.dwarf) {
    if (auto unit = all.dwarf->open_split(skeleton.dwo_id(), skeleton); unit) return unit;
  }
  own.file = finder_.find_dwo(module_, skeleton.comp_dir(), skeleton.dwo_name());
  if (own.file) own.dwarf = DwarfFile::open(own.file->image, DwarfFile::Flavour::dwo);
  return own.dwarf ? own.dwarf->open_split(skeleton.dwo_id(), skeleton) : nullptr;
}

std::vector<Frames> DebugInfo::name(
    std::uint32_t number, std::span<const std::uint64_t> addresses,
    const std::function<const CodeSymbol*(std::uint64_t)>& symbol_of) const {
  const Unit& unit = main_->unit(number);
  if (unit.dwo_name().empty()) return UnitNamer{unit, symbol_of}.name(addresses);
  Split own;
  const std::unique_ptr<Unit> split = open_split(unit, own);
  if (split) return UnitNamer{*split, symbol_of}.name(addresses);
  {
    const std::lock_guard lock{missing_mutex_};
    missing_ = unit.dwo_name();
  }
  // The skeleton still has the lines (and with -fsplit-dwarf-inlining the inlined calls).
  return UnitNamer{unit, symbol_of}.name(addresses);
}

std::string DebugInfo::missing_part() const {
  const std::lock_guard lock{missing_mutex_};
  return missing_;
}

}  // namespace hprof::symbolize
