// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/epilogue_step.h"

#if defined(__x86_64__)

#include "symbolize/unwind/call_site.h"
#include "symbolize/unwind/x86_instruction.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hprof::symbolize {
namespace {

constexpr std::size_t kMaxInstructions = 1500;
constexpr std::size_t kMaxWays = 48;
constexpr std::uint64_t kMaxDepth = std::uint64_t{1} << 20;

/// One way through the code: where it stands and what has become of the registers.
struct Way {
  std::uint64_t pc = 0;
  UnwindState state;
};

class EpilogueSearch {
 public:
  EpilogueSearch(const AddressSpace& space, StackMemory& memory, const UnwindState& start)
      : space_(space), memory_(memory), start_(start) {}

  std::optional<EpilogueStep> run() {
    ways_.push_back({start_.pc(), start_});
    while (!ways_.empty() && left_ > 0) {
      Way way = ways_.back();
      ways_.pop_back();
      if (auto found = follow(way)) return found;
    }
    return std::nullopt;
  }

 private:
  using Kind = X86Instruction::Kind;

  // Goes on until a ret or a place from which this way leads nowhere.
  std::optional<EpilogueStep> follow(Way& way) {
    while (left_ > 0) {
      --left_;
      if (seen(way)) return std::nullopt;
      const X86Instruction one = decode_at(way.pc);
      const std::uint64_t next = way.pc + one.length;
      way.pc = next;
      switch (one.kind) {
        case Kind::ret:
          return accept(way.state);
        case Kind::jump:
          way.pc = next + static_cast<std::uint64_t>(one.value);
          break;
        case Kind::branch:
          if (ways_.size() < kMaxWays) {
            ways_.push_back({next + static_cast<std::uint64_t>(one.value), way.state});
          }
          break;
        case Kind::call:
        case Kind::other:
          break;
        default:
          if (!move_stack(one, way.state)) return std::nullopt;
          break;
      }
    }
    return std::nullopt;
  }

  // Loops end here: at one address with one depth there is nothing new.
  bool seen(const Way& way) {
    const std::uint64_t key = way.pc * 0x9e3779b97f4a7c15ULL ^ way.state.sp();
    if (std::ranges::find(seen_, key) != seen_.end()) return true;
    seen_.push_back(key);
    return false;
  }

  X86Instruction decode_at(std::uint64_t pc) {
    std::array<std::byte, 16> code{};
    const std::size_t count = read_code(space_, memory_, pc, code);
    return decode_x86(Bytes{code}.first(count));
  }

  bool move_stack(const X86Instruction& one, UnwindState& state) {
    const auto value = static_cast<std::uint64_t>(one.value);
    const auto fp = state.get(UserRegisters::kFramePointer);
    std::uint64_t sp = state.sp();
    switch (one.kind) {
      case Kind::push:
        sp -= 8;
        break;
      case Kind::add_sp:
        sp += value;
        break;
      case Kind::pop:
        pop(one.reg, sp, state);
        sp += 8;
        break;
      case Kind::sp_from_fp:
      case Kind::leave:
        if (!fp || *fp < start_.sp()) return false;
        sp = *fp + value;
        if (one.kind == Kind::leave) {
          pop(UserRegisters::kFramePointer, *fp, state);
          sp = *fp + 8;
        }
        break;
      default:
        return false;
    }
    state.set(UserRegisters::kStackPointer, sp);
    return sp + kMaxDepth >= start_.sp() && sp <= start_.sp() + kMaxDepth;
  }

  // Below the thread's stack pointer there is only what this way itself would have pushed.
  void pop(std::size_t reg, std::uint64_t address, UnwindState& state) {
    std::uint64_t value = 0;
    if (address >= start_.sp() && memory_.read(address, value)) {
      state.set(reg, value);
    } else {
      state.forget(reg);
    }
  }

  std::optional<EpilogueStep> accept(const UnwindState& state) {
    const std::uint64_t slot = state.sp();
    std::uint64_t address = 0;
    if (slot < start_.sp() || !memory_.read(slot, address)) return std::nullopt;
    if (address == 0) return std::nullopt;
    if (!call_before(space_, memory_, address).is_call() &&
        !returns_from_signal(space_, memory_, address)) {
      return std::nullopt;
    }
    EpilogueStep out{state, slot};
    out.caller.set(UserRegisters::kStackPointer, slot + 8);
    out.caller.set(UserRegisters::kPc, address);
    out.caller.exact_pc = false;
    return out;
  }

  const AddressSpace& space_;
  StackMemory& memory_;
  const UnwindState& start_;
  std::vector<Way> ways_;
  std::vector<std::uint64_t> seen_;
  std::size_t left_ = kMaxInstructions;
};

}  // namespace

std::optional<EpilogueStep> step_by_epilogue(const AddressSpace& space, StackMemory& memory,
                                             const UnwindState& state) {
  return EpilogueSearch{space, memory, state}.run();
}

}  // namespace hprof::symbolize

#else

namespace hprof::symbolize {

std::optional<EpilogueStep> step_by_epilogue(const AddressSpace& /*space*/, StackMemory& /*memory*/,
                                             const UnwindState& /*state*/) {
  return std::nullopt;
}

}  // namespace hprof::symbolize

#endif
