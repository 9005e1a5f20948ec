// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/encoded_pointer.h"

#include <hprof/core/base/bytes.h>

#include <cstdint>
#include <optional>

namespace hprof::symbolize {

/// The bytes of .eh_frame or .debug_frame (or of a segment that holds it).
/// Lifetime: borrows the bytes.
struct CfiSection {
  Bytes bytes;
  std::uint64_t vaddr = 0;
  bool eh = true;          ///< .eh_frame's form of ids and pointers
  std::uint64_t text = 0;  ///< base of textrel pointers
  std::uint64_t data = 0;  ///< base of datarel pointers
};

/// A common information entry, parsed.
struct Cie {
  std::uint64_t code_align = 1;
  std::int64_t data_align = 1;
  std::uint64_t return_register = 0;
  std::uint8_t pointer_encoding = 0;
  bool has_augmentation_data = false;
  bool signal_frame = false;
  std::uint64_t instructions_at = 0;  ///< offset in the section
  Bytes instructions;
};

/// A frame description entry, parsed.
struct Fde {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t cie_offset = 0;
  std::uint64_t instructions_at = 0;
  Bytes instructions;
};

/// The head of any entry: where its body lies and what it is.
struct CfiEntry {
  enum class Kind : std::uint8_t { cie, fde, terminator };
  Kind kind = Kind::terminator;
  std::uint64_t next = 0;        ///< offset of the entry behind this one
  std::uint64_t body = 0;        ///< offset behind length and id
  std::uint64_t cie_offset = 0;  ///< of an FDE
  bool dwarf64 = false;
};

/// Reads the head at `offset`. Absent: cut off, or a CIE pointer that leaves the section.
std::optional<CfiEntry> read_cfi_entry(const CfiSection& section, std::uint64_t offset);
/// Parses the CIE at `offset`. Absent: malformed, or with an augmentation whose size is unknown.
std::optional<Cie> read_cie(const CfiSection& section, std::uint64_t offset);
/// Parses the FDE whose head is `entry`, with the CIE it names.
std::optional<Fde> read_fde(const CfiSection& section, const CfiEntry& entry, const Cie& cie);

}  // namespace hprof::symbolize
