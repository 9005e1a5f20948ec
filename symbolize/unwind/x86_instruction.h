// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <cstdint>

namespace hprof::symbolize {

/// One x86-64 instruction, as far as it moves the stack pointer or the control flow.
struct X86Instruction {
  enum class Kind : std::uint8_t {
    unknown,     ///< not decoded: cut off, invalid, or longer than 15 bytes
    other,       ///< touches neither
    push,        ///< rsp -= 8
    pop,         ///< reg = [rsp]; rsp += 8
    add_sp,      ///< rsp += value
    sp_from_fp,  ///< rsp = rbp + value
    leave,       ///< rsp = rbp; pop rbp
    writes_sp,   ///< rsp becomes something that is not followed here
    call,
    jump,          ///< to next + value
    branch,        ///< maybe to next + value
    jump_unknown,  ///< through a register or memory
    ret,
    stop,  ///< hlt, ud2, int3: nothing comes behind it
  };
  Kind kind = Kind::unknown;
  std::uint8_t length = 0;
  std::uint8_t reg = 0;  ///< DWARF number, of pop
  std::int64_t value = 0;
};

/// Decodes the instruction at the front of `code`. Source: Intel SDM volume 2, appendix A.
X86Instruction decode_x86(Bytes code);

}  // namespace hprof::symbolize
