// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/go_guest.h"

#include "symbolize/unwind/call_site.h"

#include <algorithm>
#include <array>

namespace hprof::symbolize {
namespace {

// Outermost functions by name, for releases before the flag (1.17).
constexpr std::array<std::string_view, 5> kRoots{
    "runtime.goexit", "runtime.mstart", "runtime.rt0_go", "_rt0_amd64_linux", "_rt0_amd64"};

// Functions that go to the thread's own stack for good: none returns to where it was called from,
// and what runs there (the scheduler) works for nobody. Go's own profiles end there too.
constexpr std::array<std::string_view, 2> kEnds{"runtime.mcall", "runtime.gogo"};

// The same, but what runs there works for the goroutine that was left: its stack is made larger.
constexpr std::array<std::string_view, 2> kMoreStack{"runtime.morestack",
                                                     "runtime.morestack_noctxt"};

// Marked as outermost, because Go's own unwinder stops at them; the frame under it is a signal's.
constexpr std::array<std::string_view, 2> kSignalHandlers{"runtime.sigtramp",
                                                          "runtime.cgoSigtramp"};

// Functions that change the stack pointer in ways pcsp does not tell, for releases before the flag.
constexpr std::array<std::string_view, 6> kSwitchers{"runtime.systemstack", "runtime.asmcgocall",
                                                     "runtime.nanotime1",   "runtime.walltime1",
                                                     "runtime.walltime",    "time.now"};

/// Where Go keeps the current g: r14 (1.17+), x28.
constexpr std::size_t kGoroutineRegister = kHasLinkRegister ? 28 : 14;

bool is_one_of(std::string_view name, std::span<const std::string_view> list) {
  return std::ranges::find(list, name) != list.end();
}

std::optional<GoFunction> function_at(const CodePlace& place) {
  const GoTables* go = place.tables == nullptr ? nullptr : place.tables->go();
  return go == nullptr ? std::nullopt : go->table.find(place.vaddr);
}

bool is_root(const Pclntab& table, const GoFunction& function) {
  const std::string_view name = table.name(function);
  return ((function.flags & GoFunction::kTopFrame) != 0 && !is_one_of(name, kSignalHandlers)) ||
         is_one_of(name, kRoots);
}

bool writes_sp(const Pclntab& table, const GoFunction& function) {
  return (function.flags & GoFunction::kWritesSp) != 0 ||
         is_one_of(table.name(function), kSwitchers);
}

void become_caller(UnwindState& state, std::uint64_t pc, std::uint64_t sp, std::uint64_t fp) {
  // Go functions save no register but the frame pointer; the one that holds g is left alone.
  const bool knows_g = state.knows(kGoroutineRegister);
  state.forget_all_but_frame();
  if (knows_g) state.set(kGoroutineRegister, state.registers.value[kGoroutineRegister]);
  state.set(UserRegisters::kPc, code_address(pc));
  state.set(UserRegisters::kStackPointer, sp);
  state.set(UserRegisters::kFramePointer, fp);
  state.exact_pc = false;
}

// A call that can have led into `function`: an indirect one, or one to its entry.
bool calls(const CallSite& site, const CodePlace& place, const GoFunction& function) {
  return site.kind == CallSite::Kind::call ||
         (site.kind == CallSite::Kind::direct && site.target == function.entry + place.bias());
}

// x86-64: | caller's frame | return address | [caller's frame pointer] | locals | <- sp
// The frame pointer's slot is used where the register points at it; before the prologue's end and
// in functions without a frame the register still is the caller's.
bool leave_frame(std::uint64_t size, StackMemory& memory, UnwindState& state) {
  std::uint64_t address = 0;
  std::uint64_t fp = state.registers.value[UserRegisters::kFramePointer];
  if constexpr (kHasLinkRegister) {
    // arm64: the return address is at the frame's bottom, the frame pointer below it.
    if (size == 0) {
      if (!state.knows(kReturnColumn)) return false;
      address = state.registers.value[kReturnColumn];
    } else if (!memory.read(state.sp(), address) || !memory.read(state.sp() - 8, fp)) {
      return false;
    }
    become_caller(state, address, state.sp() + size, fp);
    return true;
  }
  const std::uint64_t cfa = state.sp() + size + 8;
  if (!memory.read(cfa - 8, address)) return false;
  if (size >= 8 && fp == cfa - 16 && !memory.read(cfa - 16, fp)) return false;
  become_caller(state, address, cfa, fp);
  return true;
}

}  // namespace

bool GoGuest::owns(const CodePlace& place) {
  return function_at(place).has_value();
}

bool GoGuest::returns_without_call(const CodePlace& place) {
  const auto function = function_at(place);
  return function && is_root(place.tables->go()->table, *function);
}

bool GoGuest::step_by_size(const CodePlace& place, const GoFunction& function, StackMemory& memory,
                           UnwindState& state) {
  const Pclntab& table = place.tables->go()->table;
  const auto size = table.pc_value(function, function.pcsp, place.vaddr);
  if (!size || size->value < 0) return false;
  UnwindState next = state;
  if (!leave_frame(static_cast<std::uint64_t>(size->value), memory, next)) return false;
  // Where the stack may have been switched, the word found must lead back to this function.
  if (writes_sp(table, function) &&
      !calls(call_before(place.space, memory, next.pc()), place, function)) {
    return false;
  }
  state = next;
  return true;
}

// A function that has saved the frame pointer before it switched: its frame hangs on the register.
bool GoGuest::step_over_switch(const CodePlace& place, const GoFunction& function,
                               StackMemory& memory, UnwindState& state) {
  const auto fp = state.get(UserRegisters::kFramePointer);
  if (!fp || *fp == 0 || *fp % 8 != 0) return false;
  std::uint64_t next_fp = 0;
  std::uint64_t address = 0;
  if (memory.read(*fp, next_fp) && memory.read(*fp + 8, address) &&
      calls(call_before(place.space, memory, address), place, function)) {
    become_caller(state, address, *fp + 16, next_fp);
    state.switched_stack = true;
    return true;
  }
  return find_caller_below(place, function, memory, state);
}

// A function without a frame (systemstack up to some releases, asmcgocall): the register is the
// caller's, and points at the top of the caller's frame. The return address into the caller lies
// below it, at the distance that the caller's own stack size at that very address tells; with the
// call's target that is proof enough.
bool GoGuest::find_caller_below(const CodePlace& place, const GoFunction& function,
                                StackMemory& memory, UnwindState& state) {
  constexpr std::uint64_t kMaxCallerFrame = 16384;
  const Pclntab& table = place.tables->go()->table;
  const std::uint64_t fp = state.registers.value[UserRegisters::kFramePointer];
  for (std::uint64_t back = 8; back <= kMaxCallerFrame && back <= fp; back += 8) {
    std::uint64_t address = 0;
    if (!memory.read(fp - back, address)) return false;
    const std::uint64_t vaddr = address - 1 - place.bias();
    if (vaddr < table.text_start() || vaddr >= table.text_end()) continue;
    const CallSite site = call_before(place.space, memory, address);
    if (site.kind != CallSite::Kind::direct || !calls(site, place, function)) continue;
    const auto caller = table.find(vaddr);
    const auto size = caller ? table.pc_value(*caller, caller->pcsp, vaddr) : std::nullopt;
    if (!size || size->value < 0 || static_cast<std::uint64_t>(size->value) != back) continue;
    become_caller(state, address, fp - back + 8, fp);
    state.switched_stack = true;
    return true;
  }
  return false;
}

// On g0, from which m and the goroutine it works for are found: g.m, m.g0, m.curg and what that one
// saved when it was left. Offsets that moved between releases are tried, and believed when the
// three point at each other and the saved stack pointer is inside the goroutine's stack.
// Source: runtime2.go of 1.16 to 1.26.
bool GoGuest::go_on_in_goroutine(const CodePlace& place, StackMemory& memory, UnwindState& state) {
  constexpr std::uint64_t kM = 48;
  constexpr std::uint64_t kSched = 56;
  const Pclntab& table = place.tables->go()->table;
  const auto g0 = state.get(kGoroutineRegister);
  const auto at = [&memory](std::uint64_t address) {
    std::uint64_t value = 0;
    return memory.read(address, value) ? value : 0;
  };
  if (!g0 || *g0 == 0 || *g0 % 8 != 0) return false;
  const std::uint64_t m = at(*g0 + kM);
  if (m == 0 || at(m) != *g0) return false;
  for (const std::uint64_t curg_offset : {192, 184}) {
    const std::uint64_t g = at(m + curg_offset);
    if (g == 0 || g == *g0 || at(g + kM) != m) continue;
    const std::uint64_t sp = at(g + kSched);
    const std::uint64_t pc = at(g + kSched + 8);
    const std::uint64_t vaddr = pc - 1 - place.bias();
    if (sp < at(g) || sp >= at(g + 8)) continue;
    if (vaddr < table.text_start() || vaddr >= table.text_end()) continue;
    // gobuf.bp stands behind lr: at 48 up to 1.24, at 40 since.
    const std::uint64_t fp = at(g + kSched + (curg_offset == 184 ? 40 : 48));
    become_caller(state, pc, sp, fp);
    state.set(kGoroutineRegister, g);
    state.switched_stack = true;
    return true;
  }
  return false;
}

StepEnd GoGuest::step(const CodePlace& place, StackMemory& memory, UnwindState& state) {
  const auto function = function_at(place);
  if (!function) return StepEnd::truncated;
  const Pclntab& table = place.tables->go()->table;
  if (is_root(table, *function)) return StepEnd::root;
  const std::string_view name = table.name(*function);
  const bool grows = is_one_of(name, kMoreStack);
  if (!state.exact_pc && (grows || is_one_of(name, kEnds))) {
    return grows && go_on_in_goroutine(place, memory, state) ? StepEnd::caller : StepEnd::root;
  }
  // Where a function has switched the stack its size says nothing, where it has not it does: the
  // innermost one is mostly before the switch, a caller behind it.
  const bool switcher = writes_sp(table, *function);
  const bool size_first = !switcher || state.exact_pc;
  if (size_first && step_by_size(place, *function, memory, state)) return StepEnd::caller;
  if (step_over_switch(place, *function, memory, state)) return StepEnd::caller;
  if (!size_first && step_by_size(place, *function, memory, state)) return StepEnd::caller;
  return grows || is_one_of(name, kEnds) ? StepEnd::root : StepEnd::truncated;
}

}  // namespace hprof::symbolize
