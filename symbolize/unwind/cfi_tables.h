// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/decompress.h"
#include "symbolize/elf/elf_image.h"
#include "symbolize/unwind/cfi_program.h"
#include "symbolize/unwind/fde_index.h"
#include "symbolize/unwind/unwind_row.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hprof::symbolize {

/// The call frame information of one image. An FDE is compiled to rows when an address in it is
/// first asked for. Not thread safe. Lifetime: borrows the image's bytes.
class CfiTables {
 public:
  /// Never fails: an image without tables, or with broken ones, covers no address.
  explicit CfiTables(const ElfImage& image);

  /// The row for the linked address `pc`; kind none if no FDE covers it.
  UnwindRow find(std::uint64_t pc);
  /// What a row of kind detailed stands for.
  [[nodiscard]] const DetailedRow& detailed(const UnwindRow& row) const {
    return details_[static_cast<std::size_t>(row.cfa_offset)];
  }
  /// Bytes that compiled rows take, roughly.
  [[nodiscard]] std::size_t memory() const { return memory_; }

 private:
  struct RowAt {
    std::uint64_t begin = 0;
    UnwindRow row;
  };
  struct CompiledFde {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::vector<RowAt> rows;
  };
  /// One section with its way to find an FDE.
  struct Source {
    CfiSection section;
    std::optional<EhFrameHdr> hdr;
    std::optional<FdeIndex> index;
    std::unordered_map<std::uint64_t, CompiledFde> compiled;  ///< by offset of the FDE
    std::unordered_map<std::uint64_t, Cie> cies;              ///< by offset
  };

  bool add_by_header(const ElfImage& image);
  void add_by_section(const ElfImage& image);
  void add_debug_frame(const ElfImage& image);
  static std::optional<std::uint64_t> locate(const Source& source, std::uint64_t pc);
  const CompiledFde& compile(Source& source, std::uint64_t offset);
  const Cie* cie_at(Source& source, std::uint64_t offset);
  UnwindRow compact(const CfiRow& row, const Cie& cie);
  UnwindRow detail(const CfiRow& row, UnwindRow head);

  std::vector<Source> sources_;
  std::vector<DetailedRow> details_;
  SectionData debug_frame_;
  std::size_t memory_ = 0;
};

}  // namespace hprof::symbolize
