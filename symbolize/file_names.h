// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/symbol_index.h"
#include "symbolize/frame.h"

#include <hprof/core/target/module.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hprof::symbolize {

/// A share of the addresses of one module that is named in one go; shares can be named in parallel.
struct NamingTask {
  static constexpr std::uint32_t kNoUnit = 0xffffffff;
  std::uint32_t unit = kNoUnit;        ///< the unit of debug info that knows them
  std::vector<std::uint32_t> indexes;  ///< into the addresses, which are sorted
};

/// What is known about the code of one ELF file: symbol tables, debug info, Go's tables.
class FileNames {
 public:
  /// Opens the tables of `image`; the bytes must outlive this object.
  static std::unique_ptr<FileNames> open(const ElfImage& image);

  /// Splits the naming of `addresses` (virtual addresses of the file, sorted).
  [[nodiscard]] std::vector<NamingTask> plan(std::span<const std::uint64_t> addresses) const;
  /// Names the addresses of one task into `out`, which is parallel to `addresses`. Thread safe.
  void run(const NamingTask& task, std::span<const std::uint64_t> addresses,
           std::span<Frames> out) const;
  /// Why some addresses have no name, for people: "stripped, no separate debug info".
  [[nodiscard]] std::string poverty() const;

 private:
  explicit FileNames(const ElfImage& image) : image_(image) {}
  [[nodiscard]] const SymbolIndex& symbols() const;

  ElfImage image_;
  mutable std::once_flag symbols_once_;
  mutable SymbolIndex symbols_;
};

}  // namespace hprof::symbolize
