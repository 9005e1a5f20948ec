// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/debuginfo/debug_files.h"
#include "symbolize/dwarf/dwarf_file.h"
#include "symbolize/elf/symbol_index.h"
#include "symbolize/frame.h"

#include <atomic>
#include <functional>

namespace hprof::symbolize {

/// The DWARF of one module with all its parts: dwz's shared file, .dwo files, the package.
/// Safe for several threads.
class DebugInfo {
 public:
  static constexpr std::uint32_t kNoUnit = IntervalMap::kNone;

  /// nullptr if `image` has no .debug_info. `path`: where the image lies. All must outlive this.
  static std::unique_ptr<DebugInfo> open(const ElfImage& image, const std::string& path,
                                         const Module& module, const DebugFinder& finder);

  /// The unit that describes the code at `address`, or kNoUnit.
  [[nodiscard]] std::uint32_t unit_of(std::uint64_t address) const { return units_.find(address); }
  /// Names addresses (sorted) of one unit.
  [[nodiscard]] std::vector<Frames> name(
      std::uint32_t unit, std::span<const std::uint64_t> addresses,
      const std::function<const CodeSymbol*(std::uint64_t)>& symbol_of) const;
  /// A part that the units name was not found: "main.dwo".
  [[nodiscard]] std::string missing_part() const;

 private:
  DebugInfo(const Module& module, const DebugFinder& finder) : module_(module), finder_(finder) {}
  struct Split {
    DebugFilePtr file;
    std::unique_ptr<DwarfFile> dwarf;
  };
  std::unique_ptr<Unit> open_split(const Unit& skeleton, Split& own) const;
  const Split& package() const;

  const Module& module_;
  const DebugFinder& finder_;
  std::string path_;
  DebugFilePtr alt_file_;
  std::unique_ptr<DwarfFile> alt_;
  std::unique_ptr<DwarfFile> main_;
  IntervalMap units_;
  mutable std::once_flag package_once_;
  mutable Split package_;
  mutable std::mutex missing_mutex_;
  mutable std::string missing_;
};

}  // namespace hprof::symbolize
