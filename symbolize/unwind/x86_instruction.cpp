// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/x86_instruction.h"

#include <array>
#include <string_view>

namespace hprof::symbolize {
namespace {

using Kind = X86Instruction::Kind;

constexpr std::size_t kLongest = 15;
constexpr unsigned kSp = 4;  // in the machine's numbering
constexpr unsigned kFp = 5;
/// DWARF numbers of the machine's registers 0 to 15.
constexpr std::array<std::uint8_t, 16> kDwarf{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

// What follows an opcode of the one-byte map, a letter for each of 16 x 16 opcodes:
//   . nothing   m ModRM   b ModRM, imm8   z ModRM, imm16/32   8 imm8   w imm16   i imm16/32
//   v imm16/32/64 (mov)   o moffs   e enter   g group 3 (imm only for test)   ! invalid or a prefix
constexpr std::array<std::string_view, 16> kOneByte{
    "mmmm8i!!mmmm8i!!", "mmmm8i!!mmmm8i!!", "mmmm8i!!mmmm8i!!", "mmmm8i!!mmmm8i!!",
    "!!!!!!!!!!!!!!!!", "................", "!!!m!!!!iz8b....", "8888888888888888",
    "bz!bmmmmmmmmmmmm", "..........!.....", "oooo....8i......", "88888888vvvvvvvv",
    "bbw.!!bze.w..8!.", "mmmm!!!.mmmmmmmm", "88888888ii!8....", "!.!!..gg......mm"};

struct Cursor {
  Bytes code;
  std::size_t at = 0;
  bool ok = true;

  std::uint8_t next() {
    if (at >= code.size() || at >= kLongest) return ok = false, std::uint8_t{0};
    return static_cast<std::uint8_t>(code[at++]);
  }
  std::int64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{next()} << (8 * i);
    const unsigned shift = static_cast<unsigned>(64 - 8 * size);
    return size == 0 ? 0 : static_cast<std::int64_t>(value << shift) >> shift;
  }
};

struct Prefixes {
  bool operand16 = false;
  bool address32 = false;
  std::uint8_t rex = 0;

  [[nodiscard]] bool wide() const { return (rex & 8) != 0; }
};

struct ModRm {
  unsigned mod = 0;
  unsigned reg = 0;    ///< with REX.R
  unsigned rm = 0;     ///< with REX.B; meaningless with a SIB byte
  unsigned digit = 0;  ///< reg without REX: the opcode's extension
  bool sib = false;
  std::int64_t disp = 0;
};

Prefixes read_prefixes(Cursor& in, std::uint8_t& opcode) {
  Prefixes out;
  for (;;) {
    opcode = in.next();
    switch (opcode) {
      case 0x66:
        out.operand16 = true;
        continue;
      case 0x67:
        out.address32 = true;
        continue;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
      case 0xf0:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        break;
    }
    break;
  }
  if ((opcode & 0xf0) == 0x40) {
    out.rex = opcode;
    opcode = in.next();
  }
  return out;
}

ModRm read_modrm(Cursor& in, std::uint8_t rex) {
  const std::uint8_t byte = in.next();
  ModRm out;
  out.mod = byte >> 6;
  out.digit = byte >> 3 & 7;
  out.reg = out.digit | ((rex & 4) != 0 ? 8U : 0U);
  const unsigned low = byte & 7;
  out.rm = low | ((rex & 1) != 0 ? 8U : 0U);
  if (out.mod == 3) return out;
  unsigned base = low;
  if (low == 4) {
    out.sib = true;
    base = in.next() & 7;
  }
  if (out.mod == 1) {
    out.disp = in.number(1);
  } else if (out.mod == 2 || (out.mod == 0 && base == 5)) {
    out.disp = in.number(4);
  }
  return out;
}

bool has_immediate_0f(std::uint8_t opcode) {
  return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba ||
         opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
}

bool has_modrm_0f(std::uint8_t opcode) {
  return !((opcode >= 0x05 && opcode <= 0x09) || opcode == 0x0b || opcode == 0x0e ||
           (opcode >= 0x30 && opcode <= 0x37) || opcode == 0x77 ||
           (opcode >= 0xa0 && opcode <= 0xa2) || (opcode >= 0xa8 && opcode <= 0xaa) ||
           (opcode >= 0xc8 && opcode <= 0xcf));
}

// VEX and EVEX: vector instructions, none of which writes rsp.
Kind decode_vector(Cursor& in, std::uint8_t opcode) {
  unsigned map = 1;
  if (opcode == 0xc5) {
    in.next();
  } else {
    map = in.next() & (opcode == 0x62 ? 7U : 0x1fU);
    in.next();
    if (opcode == 0x62) in.next();
  }
  const std::uint8_t operation = in.next();
  if (map == 1 && operation == 0x77) return Kind::other;
  read_modrm(in, 0);
  if (map == 3 || (map == 1 && has_immediate_0f(operation))) in.number(1);
  return map >= 1 && map <= 6 ? Kind::other : Kind::unknown;
}

X86Instruction decode_0f(Cursor& in, const Prefixes& prefixes) {
  X86Instruction out;
  out.kind = Kind::other;
  const std::uint8_t opcode = in.next();
  if (opcode == 0x38 || opcode == 0x3a) {
    in.next();
    read_modrm(in, prefixes.rex);
    if (opcode == 0x3a) in.number(1);
    return out;
  }
  if (opcode >= 0x80 && opcode <= 0x8f) {
    out.kind = Kind::branch;
    out.value = in.number(4);
    return out;
  }
  if (opcode == 0x0b) out.kind = Kind::stop;
  if (!has_modrm_0f(opcode)) return out;
  const ModRm modrm = read_modrm(in, prefixes.rex);
  if (has_immediate_0f(opcode)) in.number(1);
  const bool writes_reg = (opcode >= 0x40 && opcode <= 0x4f) || opcode == 0xaf ||
                          (opcode >= 0xb6 && opcode <= 0xbf && opcode != 0xba);
  if (writes_reg && modrm.reg == kSp) out.kind = Kind::writes_sp;
  return out;
}

// add, sub, and ... with an immediate: 80 81 83.
void decode_group1(X86Instruction& out, const ModRm& modrm, std::int64_t immediate) {
  if (modrm.mod != 3 || modrm.rm != kSp || modrm.digit == 7) return;  // cmp writes nothing
  out.kind = Kind::writes_sp;
  if (modrm.digit == 0) out.kind = Kind::add_sp, out.value = immediate;
  if (modrm.digit == 5) out.kind = Kind::add_sp, out.value = -immediate;
}

void decode_group5(X86Instruction& out, const ModRm& modrm) {
  if (modrm.digit == 2 || modrm.digit == 3) out.kind = Kind::call;
  if (modrm.digit == 4 || modrm.digit == 5) out.kind = Kind::jump_unknown;
  if (modrm.digit == 6) out.kind = Kind::push;
}

void decode_lea(X86Instruction& out, const ModRm& modrm, std::uint8_t sib) {
  if (modrm.reg != kSp) return;
  out.kind = Kind::writes_sp;
  out.value = modrm.disp;
  const bool plain_sp = modrm.sib && (sib & 0x38) == 0x20 && (sib & 7) == kSp && modrm.mod != 0;
  if (plain_sp) out.kind = Kind::add_sp;
  if (!modrm.sib && modrm.rm == kFp && modrm.mod != 0) out.kind = Kind::sp_from_fp;
}

// Instructions with a ModRM byte that matter or write a register.
void decode_modrm(X86Instruction& out, std::uint8_t opcode, const ModRm& modrm, std::uint8_t sib,
                  std::int64_t immediate) {
  const bool to_reg = (opcode < 0x40 && (opcode & 7) >= 2 && (opcode & 7) <= 3 && opcode < 0x38) ||
                      opcode == 0x8b || opcode == 0x63 || opcode == 0x69 || opcode == 0x6b;
  const bool to_rm =
      (opcode < 0x38 && (opcode & 7) <= 1) || opcode == 0x89 || opcode == 0xc7 || opcode == 0x87;
  if (opcode >= 0x80 && opcode <= 0x83) {
    decode_group1(out, modrm, immediate);
  } else if (opcode == 0xff) {
    decode_group5(out, modrm);
  } else if (opcode == 0x8d) {
    decode_lea(out, modrm, sib);
  } else if (opcode == 0x8f) {
    out.kind = Kind::add_sp;  // pop to memory
    out.value = 8;
  } else if ((opcode == 0x89 && modrm.mod == 3 && modrm.rm == kSp && modrm.reg == kFp) ||
             (opcode == 0x8b && modrm.mod == 3 && modrm.reg == kSp && modrm.rm == kFp)) {
    out.kind = Kind::sp_from_fp;
  } else if ((to_reg && modrm.reg == kSp) || (to_rm && modrm.mod == 3 && modrm.rm == kSp)) {
    out.kind = Kind::writes_sp;
  }
}

// Instructions without a ModRM byte that matter.
void decode_plain(X86Instruction& out, std::uint8_t opcode, std::uint8_t rex,
                  std::int64_t immediate) {
  out.value = immediate;
  if (opcode >= 0x50 && opcode <= 0x57) {
    out.kind = Kind::push;
  } else if (opcode >= 0x58 && opcode <= 0x5f) {
    const unsigned reg = (opcode & 7U) | ((rex & 1) != 0 ? 8U : 0U);
    out.kind = reg == kSp ? Kind::writes_sp : Kind::pop;
    out.reg = kDwarf[reg];
  } else if ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0xe0 && opcode <= 0xe3)) {
    out.kind = Kind::branch;
  } else {
    switch (opcode) {
      case 0x68:
      case 0x6a:
      case 0x9c:
        out.kind = Kind::push;
        break;
      case 0x9d:
        out.kind = Kind::add_sp;
        out.value = 8;
        break;
      case 0xc2:
      case 0xc3:
        out.kind = Kind::ret;
        break;
      case 0xc8:
        out.kind = Kind::writes_sp;
        break;
      case 0xc9:
        out.kind = Kind::leave;
        break;
      case 0xcc:
      case 0xf4:
        out.kind = Kind::stop;
        break;
      case 0xe8:
        out.kind = Kind::call;
        break;
      case 0xe9:
      case 0xeb:
        out.kind = Kind::jump;
        break;
      default:
        break;
    }
  }
}

X86Instruction decode_one_byte(Cursor& in, const Prefixes& prefixes, std::uint8_t opcode) {
  X86Instruction out;
  const char form = kOneByte[opcode >> 4][opcode & 15];
  if (form == '!') return out;
  out.kind = Kind::other;
  const std::size_t full = prefixes.operand16 && !prefixes.wide() ? 2 : 4;
  const bool has_modrm = form == 'm' || form == 'b' || form == 'z' || form == 'g';
  ModRm modrm;
  std::uint8_t sib = 0;
  if (has_modrm) {
    const std::size_t before = in.at;
    modrm = read_modrm(in, prefixes.rex);
    sib = load<std::uint8_t>(in.code, before + 1);
  }
  std::int64_t immediate = 0;
  const bool test = form == 'g' && modrm.digit <= 1;
  if (form == '8' || form == 'b' || (test && opcode == 0xf6)) {
    immediate = in.number(1);
  } else if (opcode == 0xe8 || opcode == 0xe9) {
    immediate = in.number(4);  // branches ignore the operand prefix in long mode on Intel
  } else if (form == 'i' || form == 'z' || (test && opcode == 0xf7)) {
    immediate = in.number(full);
  } else if (form == 'w') {
    immediate = in.number(2);
  } else if (form == 'v') {
    immediate = in.number(prefixes.wide() ? 8 : full);
  } else if (form == 'o') {
    in.number(prefixes.address32 ? 4 : 8);
  } else if (form == 'e') {
    in.number(3);
  }
  if (has_modrm) {
    decode_modrm(out, opcode, modrm, sib, immediate);
  } else {
    decode_plain(out, opcode, prefixes.rex, immediate);
  }
  return out;
}

}  // namespace

X86Instruction decode_x86(Bytes code) {
  Cursor in{code};
  std::uint8_t opcode = 0;
  const Prefixes prefixes = read_prefixes(in, opcode);
  X86Instruction out;
  if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
    out.kind = decode_vector(in, opcode);
  } else if (opcode == 0x0f) {
    out = decode_0f(in, prefixes);
  } else {
    out = decode_one_byte(in, prefixes, opcode);
  }
  if (!in.ok) out.kind = Kind::unknown;
  out.length = static_cast<std::uint8_t>(in.at);
  return out;
}

}  // namespace hprof::symbolize
