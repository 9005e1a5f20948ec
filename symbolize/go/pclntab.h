// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>
#include <hprof/core/base/result.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace hprof::symbolize {

/// Generations of Go's pclntab that differ in layout. The magic alone does not tell 1.26 apart.
enum class PclntabLayout : std::uint8_t {
  go1_2,   ///< 1.2-1.15: absolute pcs, every offset counts from the table's start
  go1_16,  ///< 1.16-1.17: absolute pcs, one table for each concern
  go1_18,  ///< 1.18-1.19: pcs relative to the text start
  go1_20,  ///< 1.20-1.27: as 1.18, _func carries its start line
};

/// One function of the table. `record` is where its _func lies, in the function data.
struct GoFunction {
  std::uint64_t entry = 0;  ///< as a linked address (text start included)
  std::uint64_t end = 0;    ///< where the next one begins
  std::uint64_t record = 0;
  std::int32_t name = 0;   ///< offset of the name
  std::uint32_t pcsp = 0;  ///< offsets of pcvalue streams; 0 is none
  std::uint32_t pcfile = 0;
  std::uint32_t pcln = 0;
  std::uint32_t npcdata = 0;
  std::uint32_t cu_offset = 0;  ///< index into the unit's file table (1.16+)
  std::int32_t start_line = 0;  ///< 1.20+, else 0
  std::uint8_t func_id = 0;     ///< numbers move between versions: see the Go sources
  std::uint8_t flags = 0;       ///< 1.17+: bit 0 top frame, bit 1 writes SP, bit 2 assembly
  std::uint8_t nfuncdata = 0;

  static constexpr std::uint8_t kTopFrame = 1;
  static constexpr std::uint8_t kWritesSp = 2;
};

/// A value that holds for a range of pcs; see Pclntab::pc_value.
struct PcValue {
  std::int32_t value = -1;
  std::uint64_t until = 0;  ///< first pc at which it may differ
};

/// Reader of the table in which a Go program keeps its functions, stack sizes and lines.
/// Everything in it is checked on use; a lookup that leaves the table is "not found".
/// Lifetime: borrows the bytes. Source: Go's cmd/link/internal/ld/pcln.go, runtime/symtab.go.
class Pclntab {
 public:
  /// `table` begins with the header and may run on beyond the table's end. `text_start` is the
  /// linked address of runtime.text; it is asked for by the layouts from 1.18 on whose header
  /// does not hold it (position independent, 1.26+); pass 0 to take the header's word.
  /// Errors: malformed_input.
  static Result<Pclntab> parse(Bytes table, std::uint64_t text_start);

  /// Whether `table` may begin a pclntab: magic, zeros, quantum and pointer size.
  static bool looks_like(Bytes table);

  [[nodiscard]] PclntabLayout layout() const { return layout_; }
  [[nodiscard]] std::uint64_t text_start() const { return text_start_; }
  [[nodiscard]] std::uint32_t function_count() const { return function_count_; }
  /// The end of the last function.
  [[nodiscard]] std::uint64_t text_end() const;

  /// The function that holds the linked address `pc`.
  [[nodiscard]] std::optional<GoFunction> find(std::uint64_t pc) const;
  /// Function number `index` of the table, in order of address.
  [[nodiscard]] std::optional<GoFunction> function(std::uint32_t index) const;

  /// The full name as the linker wrote it; empty if the table is damaged there.
  [[nodiscard]] std::string_view name(std::int32_t name_offset) const;
  [[nodiscard]] std::string_view name(const GoFunction& function) const {
    return name(function.name);
  }
  /// The value at `pc` in the stream at `offset` of a function: pcsp, pcfile, pcln or a pcdata.
  /// Limit: 1 Mi pairs. Absent: no stream (offset 0) or pc beyond it.
  [[nodiscard]] std::optional<PcValue> pc_value(const GoFunction& function, std::uint32_t offset,
                                                std::uint64_t pc) const;
  /// The offset of pcdata stream `index` (2 is the inline tree's), or 0.
  [[nodiscard]] std::uint32_t pcdata(const GoFunction& function, std::uint32_t index) const;
  /// funcdata entry `index`: an absolute address up to 1.17, an offset from moduledata.gofunc
  /// from 1.18 on; absent if there is none.
  [[nodiscard]] std::optional<std::uint64_t> funcdata(const GoFunction& function,
                                                      std::uint32_t index) const;
  /// The file name for the value of the pcfile stream.
  [[nodiscard]] std::string_view file(const GoFunction& function, std::int32_t file_number) const;

 private:
  struct Entry {
    std::uint64_t pc = 0;
    std::uint64_t record = 0;
  };

  Pclntab() = default;
  [[nodiscard]] Entry entry(std::uint32_t index) const;
  [[nodiscard]] std::uint64_t after_record(const GoFunction& function) const;
  Result<void> read_header(Bytes table, std::uint64_t text_start);
  Result<void> check_order() const;

  PclntabLayout layout_ = PclntabLayout::go1_20;
  std::uint8_t quantum_ = 1;
  std::uint32_t function_count_ = 0;
  std::uint64_t text_start_ = 0;
  std::uint64_t misaligned_ = 0;  ///< bytes from the last multiple of 8 to functions_
  Bytes names_;                   ///< funcnametab
  Bytes units_;                   ///< cutab; up to 1.15 the file table
  Bytes files_;                   ///< filetab
  Bytes values_;                  ///< pctab
  Bytes functions_;               ///< functab and the _func records
};

}  // namespace hprof::symbolize
