// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/cfi_program.h"

#include <optional>

namespace hprof::symbolize {
namespace {

using Kind = RegisterRule::Kind;

// DWARF 5, section 7.24, and the GNU and vendor extensions that compilers emit.
enum Op : std::uint8_t {
  kNop = 0x00,
  kSetLoc = 0x01,
  kAdvanceLoc1 = 0x02,
  kAdvanceLoc2 = 0x03,
  kAdvanceLoc4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefCfa = 0x0c,
  kDefCfaRegister = 0x0d,
  kDefCfaOffset = 0x0e,
  kDefCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSf = 0x11,
  kDefCfaSf = 0x12,
  kDefCfaOffsetSf = 0x13,
  kValOffset = 0x14,
  kValOffsetSf = 0x15,
  kValExpression = 0x16,
  kMipsAdvanceLoc8 = 0x1d,
  kNegateRaStateWithPc = 0x2c,
  kNegateRaState = 0x2d,
  kGnuArgsSize = 0x2e,
  kGnuNegativeOffsetExtended = 0x2f,
  // In the two top bits, the rest is the operand:
  kAdvanceLoc = 0x40,
  kOffset = 0x80,
  kRestore = 0xc0,
};

Bytes block(ByteReader& reader) {
  const std::uint64_t size = reader.uleb();
  return reader.take(size);
}

}  // namespace

ByteReader CfiProgram::reader_of(std::uint64_t at, Bytes instructions) const {
  // Positions are section offsets, so that DW_CFA_set_loc can count from where it stands.
  ByteReader reader{section_.bytes.first(static_cast<std::size_t>(at) + instructions.size())};
  reader.seek(at);
  return reader;
}

bool CfiProgram::start() {
  row_.begin = fde_.begin;
  ByteReader reader = reader_of(cie_.instructions_at, cie_.instructions);
  bool advanced = false;
  while (!reader.at_end()) {
    // A CIE describes a function's entry; one that moves on makes no sense.
    if (!step(reader, advanced) || advanced) return false;
  }
  initial_ = row_;
  return true;
}

// Runs until the location moves on. Returns false at the end of the instructions.
bool CfiProgram::run_to_advance(ByteReader& reader) {
  while (!reader.at_end()) {
    bool advanced = false;
    if (!step(reader, advanced)) {
      failed_ = true;
      return false;
    }
    if (advanced) return true;
  }
  return false;
}

// Wraps around instead of overflowing: offsets come from outside.
std::int64_t CfiProgram::factored(std::int64_t value) const {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) *
                                   static_cast<std::uint64_t>(cie_.data_align));
}

std::int64_t CfiProgram::factored_unsigned(std::uint64_t value) const {
  return static_cast<std::int64_t>(value * static_cast<std::uint64_t>(cie_.data_align));
}

// Columns beyond those we keep (vector registers) need no rule.
void CfiProgram::set(std::uint64_t reg, const RegisterRule& rule) {
  if (reg < row_.rules.size()) row_.rules[static_cast<std::size_t>(reg)] = rule;
}

bool CfiProgram::advance_to(std::uint64_t begin, bool& advanced) {
  if (begin < row_.begin) return false;
  advanced = begin != row_.begin;
  next_begin_ = begin;
  return true;
}

bool CfiProgram::step(ByteReader& reader, bool& advanced) {
  const std::uint8_t byte = reader.u8();
  const std::uint8_t operand = byte & 0x3f;
  switch (byte & 0xc0) {
    case kAdvanceLoc:
      return advance_to(row_.begin + operand * cie_.code_align, advanced);
    case kOffset:
      set(operand, {Kind::offset, factored_unsigned(reader.uleb()), {}});
      return reader.ok();
    case kRestore:
      if (operand < row_.rules.size()) row_.rules[operand] = initial_.rules[operand];
      return true;
    default:
      break;
  }
  bool done = false;
  if (byte <= kAdvanceLoc4 || byte == kMipsAdvanceLoc8) {
    done = step_advance(reader, byte, advanced);
  } else if ((byte >= kDefCfa && byte <= kDefCfaExpression) || byte == kDefCfaSf ||
             byte == kDefCfaOffsetSf) {
    done = step_cfa(reader, byte);
  } else if (byte <= kRegister || (byte >= kExpression && byte <= kValExpression) ||
             byte == kGnuNegativeOffsetExtended) {
    done = step_register(reader, byte);
  } else {
    done = step_other(reader, byte);
  }
  return done && reader.ok();
}

bool CfiProgram::step_advance(ByteReader& reader, std::uint8_t op, bool& advanced) {
  std::uint64_t delta = 0;
  switch (op) {
    case kNop:
      return true;
    case kSetLoc: {
      const std::uint8_t encoding = section_.eh ? cie_.pointer_encoding : std::uint8_t{0};
      const auto to = read_encoded_pointer(
          reader, encoding, {section_.vaddr, section_.text, section_.data, fde_.begin});
      return to && advance_to(*to, advanced);
    }
    case kAdvanceLoc1:
      delta = reader.u8();
      break;
    case kAdvanceLoc2:
      delta = reader.u16();
      break;
    case kAdvanceLoc4:
      delta = reader.u32();
      break;
    default:
      delta = reader.u64();
      break;
  }
  return advance_to(row_.begin + delta * cie_.code_align, advanced);
}

bool CfiProgram::step_cfa(ByteReader& reader, std::uint8_t op) {
  CfaRule& cfa = row_.cfa;
  switch (op) {
    case kDefCfa:
      cfa = {};
      cfa.reg = reader.uleb();
      cfa.offset = static_cast<std::int64_t>(reader.uleb());
      return true;
    case kDefCfaSf:
      cfa = {};
      cfa.reg = reader.uleb();
      cfa.offset = factored(reader.sleb());
      return true;
    case kDefCfaExpression:
      cfa = {};
      cfa.by_expression = true;
      cfa.expression = block(reader);
      return true;
    // The rest change a part of a register rule, which must be there.
    case kDefCfaRegister:
      cfa.reg = reader.uleb();
      return !cfa.by_expression;
    case kDefCfaOffset:
      cfa.offset = static_cast<std::int64_t>(reader.uleb());
      return !cfa.by_expression;
    default:
      cfa.offset = factored(reader.sleb());
      return !cfa.by_expression;
  }
}

bool CfiProgram::step_register(ByteReader& reader, std::uint8_t op) {
  const std::uint64_t reg = reader.uleb();
  switch (op) {
    case kOffsetExtended:
      set(reg, {Kind::offset, factored_unsigned(reader.uleb()), {}});
      return true;
    case kOffsetExtendedSf:
      set(reg, {Kind::offset, factored(reader.sleb()), {}});
      return true;
    case kGnuNegativeOffsetExtended:
      set(reg, {Kind::offset,
                static_cast<std::int64_t>(
                    ~static_cast<std::uint64_t>(factored_unsigned(reader.uleb())) + 1),
                {}});
      return true;
    case kValOffset:
      set(reg, {Kind::val_offset, factored_unsigned(reader.uleb()), {}});
      return true;
    case kValOffsetSf:
      set(reg, {Kind::val_offset, factored(reader.sleb()), {}});
      return true;
    case kRestoreExtended:
      if (reg < row_.rules.size()) set(reg, initial_.rules[static_cast<std::size_t>(reg)]);
      return true;
    case kUndefined:
      set(reg, {Kind::undefined, 0, {}});
      return true;
    case kSameValue:
      set(reg, {Kind::same, 0, {}});
      return true;
    case kRegister:
      set(reg, {Kind::reg, static_cast<std::int64_t>(reader.uleb()), {}});
      return true;
    case kExpression:
      set(reg, {Kind::expression, 0, block(reader)});
      return true;
    case kValExpression:
      set(reg, {Kind::val_expression, 0, block(reader)});
      return true;
    default:
      return false;
  }
}

bool CfiProgram::step_other(ByteReader& reader, std::uint8_t op) {
  switch (op) {
    case kRememberState:
      if (remembered_.size() >= kMaxRemembered) return false;
      remembered_.push_back(row_);
      return true;
    case kRestoreState: {
      if (remembered_.empty()) return false;
      const std::uint64_t begin = row_.begin;
      row_ = std::move(remembered_.back());
      row_.begin = begin;
      remembered_.pop_back();
      return true;
    }
    case kGnuArgsSize:
      reader.uleb();
      return true;
    case kNegateRaState:
    case kNegateRaStateWithPc:
      // Signed return addresses: their extra bits are masked wherever one is read.
      return kHasLinkRegister;
    default:
      return false;
  }
}

}  // namespace hprof::symbolize
