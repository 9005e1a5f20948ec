// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/cfi_record.h"
#include "symbolize/unwind/unwind_row.h"

#include <array>
#include <vector>

namespace hprof::symbolize {

/// The rules that hold from `begin` up to the next row, register by register.
struct CfiRow {
  std::uint64_t begin = 0;
  CfaRule cfa;
  std::array<RegisterRule, UserRegisters::kCount> rules{};
};

/// Runs the instructions of a CIE and an FDE and calls `emit(row)` for each row in order of
/// address. An instruction that is unknown, cut off or makes no sense ends the table there: rows
/// before it stay good, and `end` of what was covered is returned.
/// Limits: kMaxRows rows, kMaxRemembered saved states.
class CfiProgram {
 public:
  static constexpr std::size_t kMaxRows = 1U << 16;
  static constexpr std::size_t kMaxRemembered = 64;

  CfiProgram(const CfiSection& section, const Cie& cie, const Fde& fde)
      : section_(section), cie_(cie), fde_(fde) {}

  template <typename Emit>
  std::uint64_t run(Emit emit) {
    if (!start()) return fde_.begin;
    ByteReader reader = reader_of(fde_.instructions_at, fde_.instructions);
    std::size_t rows = 0;
    for (;;) {
      const bool more = run_to_advance(reader);
      if (failed_) return row_.begin;
      emit(static_cast<const CfiRow&>(row_));
      if (!more || next_begin_ >= fde_.end) return fde_.end;
      if (++rows >= kMaxRows) return next_begin_;
      row_.begin = next_begin_;
    }
  }

 private:
  [[nodiscard]] ByteReader reader_of(std::uint64_t at, Bytes instructions) const;
  bool start();
  bool run_to_advance(ByteReader& reader);
  bool step(ByteReader& reader, bool& advanced);
  bool step_advance(ByteReader& reader, std::uint8_t op, bool& advanced);
  bool step_cfa(ByteReader& reader, std::uint8_t op);
  bool step_register(ByteReader& reader, std::uint8_t op);
  bool step_other(ByteReader& reader, std::uint8_t op);
  bool advance_to(std::uint64_t begin, bool& advanced);
  void set(std::uint64_t reg, const RegisterRule& rule);
  [[nodiscard]] std::int64_t factored(std::int64_t value) const;
  [[nodiscard]] std::int64_t factored_unsigned(std::uint64_t value) const;

  const CfiSection& section_;
  const Cie& cie_;
  const Fde& fde_;
  CfiRow row_;
  CfiRow initial_;
  std::vector<CfiRow> remembered_;
  std::uint64_t next_begin_ = 0;
  bool failed_ = false;
};

}  // namespace hprof::symbolize
