// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"
#include "symbolize/unwind/cfi_record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof::symbolize {

/// The binary search table of .eh_frame_hdr, used where it lies.
class EhFrameHdr {
 public:
  /// Absent: no table, in a form nobody writes, or one that leaves the bytes.
  static std::optional<EhFrameHdr> parse(Bytes bytes, std::uint64_t vaddr);

  /// The linked address of the FDE whose begin is the last one not above `pc`.
  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t pc) const;
  [[nodiscard]] std::uint64_t eh_frame() const { return eh_frame_; }

 private:
  [[nodiscard]] std::uint64_t begin(std::size_t index) const;

  Bytes table_;
  std::uint64_t vaddr_ = 0;
  std::uint64_t eh_frame_ = 0;
  std::size_t count_ = 0;
};

/// Where .eh_frame begins according to an .eh_frame_hdr, table or not.
std::optional<std::uint64_t> eh_frame_address(Bytes hdr, std::uint64_t vaddr);

/// All FDEs of a section, sorted by address; made by walking it.
class FdeIndex {
 public:
  /// Walks from `offset` to the section's end, over zero terminators if `past_zero`.
  /// Limit: kMaxFdes entries. A malformed entry ends the walk.
  FdeIndex(const CfiSection& section, std::uint64_t offset, bool past_zero);

  static constexpr std::size_t kMaxFdes = 1U << 22;

  /// The offset of the FDE that may hold `pc`.
  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t pc) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t begin = 0;
    std::uint64_t offset = 0;
  };
  std::vector<Entry> entries_;
};

}  // namespace hprof::symbolize
