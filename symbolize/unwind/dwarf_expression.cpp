// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/dwarf_expression.h"

#include <array>
#include <utility>

namespace hprof::symbolize {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxOperations = 1000;

enum Op : std::uint8_t {
  kAddr = 0x03,
  kDeref = 0x06,
  kConst1u = 0x08,
  kConst1s,
  kConst2u,
  kConst2s,
  kConst4u,
  kConst4s,
  kConst8u,
  kConst8s,
  kConstu,
  kConsts,
  kDup,
  kDrop,
  kOver,
  kPick,
  kSwap,
  kRot,
  kXderef,
  kAbs,
  kAnd,
  kDiv,
  kMinus,
  kMod,
  kMul,
  kNeg,
  kNot,
  kOr,
  kPlus,
  kPlusUconst,
  kShl,
  kShr,
  kShra,
  kXor,
  kBra,
  kEq,
  kGe,
  kGt,
  kLe,
  kLt,
  kNe,
  kSkip,
  kLit0 = 0x30,
  kReg0 = 0x50,
  kBreg0 = 0x70,
  kBregEnd = 0x90,
  kBregx = 0x92,
  kDerefSize = 0x94,
  kNop = 0x96,
};

std::uint64_t widen(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

class Evaluator {
 public:
  Evaluator(Bytes expression, const UnwindState& state, StackMemory& memory, std::uint64_t bias)
      : reader_(expression), state_(state), memory_(memory), bias_(bias) {}

  std::optional<std::uint64_t> run(std::optional<std::uint64_t> initial) {
    if (initial) push(*initial);
    for (std::size_t i = 0; !reader_.at_end(); ++i) {
      if (i >= kMaxOperations || !step(reader_.u8()) || !good_ || !reader_.ok()) {
        return std::nullopt;
      }
    }
    if (depth_ == 0) return std::nullopt;
    return values_[depth_ - 1];
  }

 private:
  bool push(std::uint64_t value) {
    if (depth_ >= kMaxDepth) return good_ = false;
    values_[depth_++] = value;
    return true;
  }
  std::uint64_t pop() {
    if (depth_ == 0) return good_ = false, 0;
    return values_[--depth_];
  }
  bool pick(std::size_t index) {
    if (index >= depth_) return false;
    return push(values_[depth_ - 1 - index]);
  }

  bool step(std::uint8_t op) {
    if (op >= kLit0 && op < kReg0) return push(op - kLit0);
    if (op >= kBreg0 && op < kBregEnd) return push_register(op - kBreg0);
    if (op == kBregx) {
      const std::uint64_t reg = reader_.uleb();
      return push_register(reg);
    }
    if (op == kNop) return true;
    if (op == kAddr || (op >= kConst1u && op <= kConsts)) return push_constant(op);
    if (op == kDeref || op == kDerefSize) return dereference(op);
    if (op >= kDup && op <= kRot) return shuffle(op);
    if (op == kBra || op == kSkip) return branch(op);
    if (op == kAbs || op == kNeg || op == kNot || op == kPlusUconst) return unary(op);
    if (op >= kAnd && op <= kNe) return binary(op);
    return false;
  }

  bool push_register(std::uint64_t reg) {
    const std::int64_t offset = reader_.sleb();
    const std::optional<std::uint64_t> value = state_.get(reg);
    return value && push(*value + widen(offset));
  }

  bool push_constant(std::uint8_t op) {
    switch (op) {
      case kAddr:
        return push(reader_.u64() + bias_);
      case kConst1u:
        return push(reader_.u8());
      case kConst1s:
        return push(widen(reader_.read<std::int8_t>()));
      case kConst2u:
        return push(reader_.u16());
      case kConst2s:
        return push(widen(reader_.read<std::int16_t>()));
      case kConst4u:
        return push(reader_.u32());
      case kConst4s:
        return push(widen(reader_.read<std::int32_t>()));
      case kConst8u:
      case kConst8s:
        return push(reader_.u64());
      case kConstu:
        return push(reader_.uleb());
      default:
        return push(widen(reader_.sleb()));
    }
  }

  bool dereference(std::uint8_t op) {
    const std::uint8_t size = op == kDeref ? std::uint8_t{8} : reader_.u8();
    if (size != 1 && size != 2 && size != 4 && size != 8) return false;
    std::uint64_t value = 0;
    const std::uint64_t address = pop();
    return good_ && memory_.read_sized(address, size, value) && push(value);
  }

  bool shuffle(std::uint8_t op) {
    switch (op) {
      case kDup:
        return pick(0);
      case kDrop:
        pop();
        return true;
      case kOver:
        return pick(1);
      case kPick:
        return pick(reader_.u8());
      case kSwap:
        if (depth_ < 2) return false;
        std::swap(values_[depth_ - 1], values_[depth_ - 2]);
        return true;
      default: {  // rot: the first goes third
        if (depth_ < 3) return false;
        const std::uint64_t top = values_[depth_ - 1];
        values_[depth_ - 1] = values_[depth_ - 2];
        values_[depth_ - 2] = values_[depth_ - 3];
        values_[depth_ - 3] = top;
        return true;
      }
    }
  }

  bool branch(std::uint8_t op) {
    const auto offset = reader_.read<std::int16_t>();
    if (op == kBra && pop() == 0) return true;
    reader_.seek(reader_.position() + widen(offset));
    return true;
  }

  bool unary(std::uint8_t op) {
    const std::uint64_t a = pop();
    switch (op) {
      case kAbs:
        return push(static_cast<std::int64_t>(a) < 0 ? ~a + 1 : a);
      case kNeg:
        return push(~a + 1);
      case kNot:
        return push(~a);
      default:
        return push(a + reader_.uleb());
    }
  }

  bool binary(std::uint8_t op) {
    const std::uint64_t b = pop();
    const std::uint64_t a = pop();
    return good_ && (op <= kXor ? arithmetic(op, a, b) : compare(op, a, b));
  }

  bool arithmetic(std::uint8_t op, std::uint64_t a, std::uint64_t b) {
    const auto sa = static_cast<std::int64_t>(a);
    const auto sb = static_cast<std::int64_t>(b);
    switch (op) {
      case kAnd:
        return push(a & b);
      case kDiv:
        // The one quotient that does not fit wraps around, as multiplication does.
        if (b == 0) return false;
        return push(sb == -1 ? ~a + 1 : widen(sa / sb));
      case kMinus:
        return push(a - b);
      case kMod:
        return b != 0 && push(a % b);
      case kMul:
        return push(a * b);
      case kOr:
        return push(a | b);
      case kPlus:
        return push(a + b);
      case kShl:
        return push(b < 64 ? a << b : 0);
      case kShr:
        return push(b < 64 ? a >> b : 0);
      case kShra:
        return push(widen(sa >> (b < 64 ? b : 63)));
      case kXor:
        return push(a ^ b);
      default:
        return false;
    }
  }

  bool compare(std::uint8_t op, std::uint64_t ua, std::uint64_t ub) {
    const auto a = static_cast<std::int64_t>(ua);
    const auto b = static_cast<std::int64_t>(ub);
    switch (op) {
      case kEq:
        return push(a == b ? 1 : 0);
      case kGe:
        return push(a >= b ? 1 : 0);
      case kGt:
        return push(a > b ? 1 : 0);
      case kLe:
        return push(a <= b ? 1 : 0);
      case kLt:
        return push(a < b ? 1 : 0);
      case kNe:
        return push(a != b ? 1 : 0);
      default:
        return false;
    }
  }

  ByteReader reader_;
  const UnwindState& state_;
  StackMemory& memory_;
  std::uint64_t bias_;
  std::array<std::uint64_t, kMaxDepth> values_{};
  std::size_t depth_ = 0;
  bool good_ = true;
};

}  // namespace

std::optional<std::uint64_t> evaluate_expression(Bytes expression, const UnwindState& state,
                                                 StackMemory& memory, std::uint64_t bias,
                                                 std::optional<std::uint64_t> initial) {
  return Evaluator{expression, state, memory, bias}.run(initial);
}

}  // namespace hprof::symbolize
