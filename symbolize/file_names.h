// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/debuginfo/debug_files.h"
#include "symbolize/dwarf/debug_info.h"
#include "symbolize/elf/symbol_index.h"
#include "symbolize/frame.h"
#include "symbolize/go/go_names.h"

#include <hprof/core/target/module.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace hprof::symbolize {

/// A share of the addresses of one module that is named in one go; shares can be named in parallel.
struct NamingTask {
  static constexpr std::uint32_t kGo = DebugInfo::kNoUnit - 1;
  /// The unit of debug info that knows them, kGo, or kNoUnit: only symbol tables may.
  std::uint32_t unit = DebugInfo::kNoUnit;
  std::vector<std::uint32_t> indexes;  ///< into the addresses, which are sorted
};

/// What is known about the code of one ELF file: symbol tables, debug info, Go's tables.
class FileNames {
 public:
  /// Opens the tables of a module. `image`: its own bytes, or null where only `debug` was found.
  /// `debug`: its separate debug file, or null. `module`, `image` and `finder` must outlive this.
  static std::unique_ptr<FileNames> open(const Module& module, const ElfImage* image,
                                         DebugFilePtr debug, const DebugFinder& finder);

  /// Splits the naming of those of `addresses` (virtual addresses of the file, sorted) that are
  /// `wanted`, by ascending index.
  [[nodiscard]] std::vector<NamingTask> plan(std::span<const std::uint64_t> addresses,
                                             std::span<const std::uint32_t> wanted);
  /// Names the addresses of one task into `out`, which is parallel to `addresses`. Thread safe.
  void run(const NamingTask& task, std::span<const std::uint64_t> addresses,
           std::span<Frames> out) const;
  /// Why some addresses have no name, for people: "stripped, no separate debug info".
  [[nodiscard]] std::string poverty() const;
  /// True if a part of the debug info was not there: what was found should not be remembered.
  [[nodiscard]] bool is_incomplete() const { return info_ && !info_->missing_part().empty(); }

 private:
  FileNames(const Module& module, const ElfImage* image, DebugFilePtr debug,
            const DebugFinder& finder)
      : module_(module), image_(image), debug_(std::move(debug)), finder_(finder) {}
  void open_debug_info();
  [[nodiscard]] const CodeSymbol* symbol_at(std::uint64_t address) const;

  const Module& module_;
  const ElfImage* image_;
  DebugFilePtr debug_;
  const DebugFinder& finder_;
  std::unique_ptr<GoNames> go_;
  std::unique_ptr<DebugInfo> info_;
  mutable std::once_flag symbols_once_;
  mutable SymbolIndex symbols_;
};

}  // namespace hprof::symbolize
