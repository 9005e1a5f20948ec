// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/frame_pointer_step.h"

#include "symbolize/unwind/call_site.h"
#include "symbolize/unwind/epilogue_step.h"

#include <array>
#include <optional>
#include <string_view>

namespace hprof::symbolize {
namespace {

/// No frame is larger; a stray frame pointer into the heap is mostly farther away.
constexpr std::uint64_t kMaxFrame = std::uint64_t{64} << 20;

bool is_return_address(const AddressSpace& space, StackMemory& memory, std::uint64_t value) {
  return value != 0 && space.find(value - 1) != nullptr &&
         (call_before(space, memory, value).may_return_here() ||
          returns_from_signal(space, memory, value));
}

void become_caller(UnwindState& state, std::uint64_t pc, std::uint64_t sp, std::uint64_t fp) {
  state.forget_all_but_frame();
  state.set(UserRegisters::kPc, pc);
  state.set(UserRegisters::kStackPointer, sp);
  state.set(UserRegisters::kFramePointer, fp);
  state.exact_pc = false;
}

// The caller of a function that has pushed `pushed` bytes and not touched the frame pointer.
bool take_from_top(const AddressSpace& space, StackMemory& memory, UnwindState& state,
                   std::uint64_t pushed) {
  std::uint64_t address = 0;
  const std::uint64_t slot = state.sp() + pushed;
  if (!memory.read(slot, address) || !is_return_address(space, memory, address)) return false;
  const auto known = state.known;
  const std::uint64_t fp = state.registers.value[UserRegisters::kFramePointer];
  become_caller(state, address, slot + 8, fp);
  state.known = known;  // nothing was clobbered yet
  return true;
}

#if !defined(__aarch64__)
/// How many bytes lie over the return address at a function's first or last instructions;
/// absent anywhere else. Source: what compilers, JITs and linkers emit there.
std::optional<std::uint64_t> bytes_over_return_address(const AddressSpace& space,
                                                       StackMemory& memory, std::uint64_t pc) {
  using namespace std::string_view_literals;
  std::array<std::byte, 8> ahead{};
  std::array<std::byte, 1> behind{};
  const std::size_t count = read_code(space, memory, pc, ahead);
  const std::string_view code = as_text(Bytes{ahead}.first(count));
  for (const std::string_view first :
       {"\xf3\x0f\x1e\xfa"sv, "\x55\x48\x89\xe5"sv, "\x55\x48\x8b\xec"sv, "\xc3"sv, "\xff\x25"sv,
        "\xf2\xff\x25"sv, "\xc2"sv}) {
    if (code.starts_with(first)) return 0;
  }
  const bool sets_frame = code.starts_with("\x48\x89\xe5"sv) || code.starts_with("\x48\x8b\xec"sv);
  if (sets_frame && read_code(space, memory, pc - 1, behind) == 1 && behind[0] == std::byte{0x55}) {
    return 8;
  }
  return std::nullopt;
}
#else
std::optional<std::uint64_t> bytes_over_return_address(const AddressSpace&, StackMemory&,
                                                       std::uint64_t) {
  return std::nullopt;  // a leaf's return address is in x30, see step_by_frame_pointer
}
#endif

bool next_in_chain(std::uint64_t fp, std::uint64_t next) {
  return next % 8 == 0 && next > fp && next - fp <= kMaxFrame;
}

// Interpreters made at run time (HotSpot's) return to entry points that no call stands before.
// Such an address is believed where the chain goes on: another frame above, with an address of
// code.
bool is_chained_jit_return(const AddressSpace& space, StackMemory& memory, std::uint64_t address,
                           std::uint64_t fp, std::uint64_t next_fp) {
  const MappedRange* range = space.find(address);
  std::uint64_t above = 0;
  return range != nullptr && range->module != nullptr && range->module->kind == ModuleKind::jit &&
         next_in_chain(fp, next_fp) && memory.read(next_fp + 8, above) &&
         space.find(above) != nullptr;
}

StepEnd step_by_chain(const AddressSpace& space, StackMemory& memory, UnwindState& state) {
  const auto fp = state.get(UserRegisters::kFramePointer);
  if (!fp || *fp % 8 != 0 || *fp < state.sp() || *fp - state.sp() > kMaxFrame) {
    return StepEnd::truncated;
  }
  std::uint64_t next_fp = 0;
  std::uint64_t address = 0;
  if (!memory.read(*fp, next_fp) || !memory.read(*fp + 8, address)) return StepEnd::truncated;
  address = code_address(address);
  if (address == 0) return StepEnd::root;
  if (!is_return_address(space, memory, address) &&
      !is_chained_jit_return(space, memory, address, *fp, next_fp)) {
    return StepEnd::truncated;
  }
  become_caller(state, address, *fp + 16, next_fp);
  return StepEnd::caller;
}

// Code of a file that no table covers is mostly compiled or written without frame pointers, and the
// register may still be that of a frame further out. What its own instructions do then tells more,
// unless the chain knows a frame that is nearer.
StepEnd step_by_code(const AddressSpace& space, StackMemory& memory, UnwindState& state) {
  const MappedRange* range = space.find(state.lookup_pc());
  const bool of_file =
      range != nullptr && range->module != nullptr &&
      (range->module->kind == ModuleKind::file || range->module->kind == ModuleKind::vdso);
  if (!of_file) return StepEnd::truncated;
  const auto found = step_by_epilogue(space, memory, state);
  if (!found) return StepEnd::truncated;
  UnwindState by_chain = state;
  const bool chained = step_by_chain(space, memory, by_chain) == StepEnd::caller;
  state = chained && by_chain.sp() <= found->slot ? by_chain : found->caller;
  return StepEnd::caller;
}

}  // namespace

StepEnd step_by_frame_pointer(const AddressSpace& space, StackMemory& memory, UnwindState& state) {
  const bool leaf = state.exact_pc;
  if (leaf && !kHasLinkRegister) {
    const auto pushed = bytes_over_return_address(space, memory, state.pc());
    if (pushed && take_from_top(space, memory, state, *pushed)) return StepEnd::caller;
  }
  if (step_by_code(space, memory, state) == StepEnd::caller) return StepEnd::caller;
  const StepEnd by_chain = step_by_chain(space, memory, state);
  if (by_chain != StepEnd::truncated) return by_chain;
  for (const std::uint64_t pushed : {0, 8}) {
    if (!leaf || kHasLinkRegister) break;
    if (take_from_top(space, memory, state, pushed)) return StepEnd::caller;
  }
  return StepEnd::truncated;
}

}  // namespace hprof::symbolize
