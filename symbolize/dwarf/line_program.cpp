// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/line_program.h"

#include <dwarf.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

struct Row {
  std::uint64_t address = 0;
  LineRow where;
};

// The state machine of DWARF section 6.2.2, less what symbolizing does not need.
class LineMachine {
 public:
  LineMachine(const LineHeader& header, std::span<const std::uint64_t> addresses)
      : header_(header), addresses_(addresses), found_(addresses.size()) {}

  std::vector<LineRow> run() {
    ByteReader r{header_.program, header_.encoding.order};
    if (header_.line_range == 0 || header_.opcode_base == 0) return std::move(found_);
    while (r.ok() && !r.at_end()) {
      const std::uint8_t opcode = r.u8();
      if (opcode >= header_.opcode_base) {
        special(opcode);
      } else if (opcode == 0) {
        extended(r);
      } else {
        standard(r, opcode);
      }
    }
    return std::move(found_);
  }

 private:
  void advance(std::uint64_t operation_count) {
    now_.address += operation_count * header_.min_instruction;
  }
  void add_line(std::int64_t delta) { now_.where.line += static_cast<std::uint32_t>(delta); }
  void emit() { rows_.push_back(now_); }

  void special(std::uint8_t opcode) {
    const unsigned adjusted = opcode - header_.opcode_base;
    advance(adjusted / header_.line_range);
    add_line(header_.line_base + static_cast<std::int64_t>(adjusted % header_.line_range));
    emit();
  }

  void extended(ByteReader& r) {
    const std::uint64_t size = r.uleb();
    ByteReader body{r.take(size), header_.encoding.order};
    if (!r.ok() || size == 0) return;
    switch (body.u8()) {
      case DW_LNE_end_sequence:
        end_sequence();
        break;
      case DW_LNE_set_address:
        now_.address = read_sized(body, static_cast<unsigned>(body.remaining()));
        break;
      default:
        break;  // define_file (DWARF 2-4) is written by nobody; discriminators are no matter
    }
  }

  void standard(ByteReader& r, std::uint8_t opcode) {
    switch (opcode) {
      case DW_LNS_copy:
        emit();
        break;
      case DW_LNS_advance_pc:
        advance(r.uleb());
        break;
      case DW_LNS_advance_line:
        add_line(r.sleb());
        break;
      case DW_LNS_set_file:
        now_.where.file = r.uleb();
        break;
      case DW_LNS_set_column:
        now_.where.column = static_cast<std::uint32_t>(r.uleb());
        break;
      case DW_LNS_const_add_pc:
        advance((255U - header_.opcode_base) / header_.line_range);
        break;
      case DW_LNS_fixed_advance_pc:
        now_.address += r.u16();
        break;
      case DW_LNS_negate_stmt:
      case DW_LNS_set_basic_block:
      case DW_LNS_set_prologue_end:
      case DW_LNS_set_epilogue_begin:
        break;
      default:
        for (unsigned i = 0; i < header_.opcode_lengths[opcode - 1U]; ++i) r.uleb();
    }
  }

  // Ends the rows at hand: those of one stretch of code, which nothing else describes.
  void end_sequence() {
    const std::uint64_t end = now_.address;
    if (!std::ranges::is_sorted(rows_, {}, &Row::address)) {
      std::ranges::stable_sort(rows_, {}, &Row::address);
    }
    // Code that the linker dropped is left at address 0 (or all ones).
    if (!rows_.empty() && rows_.front().address != 0) answer(rows_.front().address, end);
    rows_.clear();
    now_ = {.address = 0, .where = {.file = 1, .line = 1, .column = 0}};
  }

  void answer(std::uint64_t start, std::uint64_t end) {
    auto at = std::ranges::lower_bound(addresses_, start);
    for (; at != addresses_.end() && *at < end; ++at) {
      // Of rows with equal addresses the last one counts: the others cover no code.
      const auto after = std::ranges::upper_bound(rows_, *at, {}, &Row::address);
      LineRow& row = found_[static_cast<std::size_t>(at - addresses_.begin())];
      if (row.line == 0) row = std::prev(after)->where;
    }
  }

  const LineHeader& header_;
  std::span<const std::uint64_t> addresses_;
  std::vector<LineRow> found_;
  std::vector<Row> rows_;
  Row now_{.address = 0, .where = {.file = 1, .line = 1, .column = 0}};
};

}  // namespace

std::vector<LineRow> find_lines(const LineHeader& header,
                                std::span<const std::uint64_t> addresses) {
  return LineMachine{header, addresses}.run();
}

}  // namespace hprof::symbolize
