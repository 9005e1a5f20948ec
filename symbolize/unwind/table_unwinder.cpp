// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/call_site.h"
#include "symbolize/unwind/cfi_step.h"
#include "symbolize/unwind/frame_pointer_step.h"
#include "symbolize/unwind/go_guest.h"
#include "symbolize/unwind/row_cache.h"
#include "symbolize/unwind/signal_return.h"
#include "symbolize/unwind/thread_exit.h"

#include <hprof/symbolize/table_unwinder.h>

#include <array>
#include <utility>
#include <vector>

namespace hprof::symbolize {
namespace {

/// Modules that nobody holds any more are looked for whenever so many new ones have come.
constexpr std::size_t kModulesBetweenSweeps = 256;
constexpr std::size_t kUnwindsBetweenMeasures = 1U << 14;

/// What the check of a step needs of the frame it came from.
struct Before {
  std::uint64_t pc = 0;
  std::uint64_t sp = 0;
  bool exact_pc = false;
};

class TableUnwinder : public Unwinder {
 public:
  explicit TableUnwinder(UnwindOptions options) : options_(options) {
    guests_.push_back(std::make_unique<GoGuest>());
  }

  UnwindEnd unwind(const AddressSpace& space, const UserRegisters& registers,
                   const StackCopy& stack, MemoryReader* live, std::size_t max_frames,
                   std::vector<std::uint64_t>& frames) override;

 private:
  StepEnd step(const AddressSpace& space, UnwindState& state);
  StepEnd step_outside_code(const AddressSpace& space, UnwindState& state);
  StepEnd take(const CachedStep& how, const CodePlace& place, UnwindState& state);
  const CachedStep& look_up(const AddressSpace& space, const MappedRange& range,
                            const UnwindState& state);
  void fill(CachedStep& out, const AddressSpace& space, const MappedRange& range,
            const UnwindState& state);
  bool below_start_code(const AddressSpace& space, const UnwindState& state);
  bool signal_return_at(const AddressSpace& space, std::uint64_t pc);
  bool believable(const AddressSpace& space, Before before, const UnwindState& after);
  bool returns_without_call(const AddressSpace& space, const UnwindState& state);
  void keep_within_limits();

  UnwindOptions options_;
  ModuleRegistry modules_;
  std::size_t modules_at_sweep_ = 0;
  std::size_t unwinds_ = 0;
  RowCache cache_;
  CachedStep uncached_;
  RangeFinder ranges_;
  StackMemory memory_;
  std::vector<std::unique_ptr<GuestUnwinder>> guests_;
};

UnwindEnd TableUnwinder::unwind(const AddressSpace& space, const UserRegisters& registers,
                                const StackCopy& stack, MemoryReader* live, std::size_t max_frames,
                                std::vector<std::uint64_t>& frames) {
  keep_within_limits();
  memory_.reset(stack, live);
  UnwindState state;
  state.registers = registers;
  for (std::size_t count = 0; count < max_frames; ++count) {
    frames.push_back(state.lookup_pc());
    const Before before{state.pc(), state.sp(), state.exact_pc};
    memory_.forget_live_use();
    state.switched_stack = false;
    const StepEnd end = step(space, state);
    if (end == StepEnd::root) return UnwindEnd::root;
    // What leads to an interrupted frame is a signal trampoline, at whose first instruction the
    // handler returns: no call stands before it, and its name begins there.
    if (end == StepEnd::caller && state.exact_pc) frames.back() = before.pc;
    if (end == StepEnd::truncated || !believable(space, before, state)) break;
  }
  return UnwindEnd::truncated;
}

StepEnd TableUnwinder::step(const AddressSpace& space, UnwindState& state) {
  const std::uint64_t pc = state.lookup_pc();
  const MappedRange* range = ranges_.find(space, pc);
  if (range == nullptr) return step_outside_code(space, state);
  const CachedStep& how = look_up(space, *range, state);
  return take(how, CodePlace{space, *range, how.tables, pc, how.vaddr}, state);
}

StepEnd TableUnwinder::take(const CachedStep& how, const CodePlace& place, UnwindState& state) {
  switch (how.by) {
    case CachedStep::By::row:
      return step_by_row(how.row, *how.tables->cfi(), place.bias(), memory_, state);
    case CachedStep::By::guest:
      return guests_[how.guest]->step(place, memory_, state);
    case CachedStep::By::signal_return:
      return step_signal_return(memory_, state);
    case CachedStep::By::root:
      return StepEnd::root;
    case CachedStep::By::frame_pointer:
      break;
  }
  if (options_.by == UnwindBy::tables) return StepEnd::truncated;
  const StepEnd end = step_by_frame_pointer(place.space, memory_, state);
  return end == StepEnd::truncated && below_start_code(place.space, state) ? StepEnd::root : end;
}

// Start code without tables (musl's, hand-written) never returns, so nothing shows where its caller
// is, and there is none that matters: what it was started by lies just above on the stack. An ABI
// marks such frames by a frame pointer of 0, which start code that uses the register undoes.
bool TableUnwinder::below_start_code(const AddressSpace& space, const UnwindState& state) {
  constexpr std::uint64_t kNear = 512;
  if (state.exact_pc) return false;
  if (state.get(UserRegisters::kFramePointer) == std::uint64_t{0}) return true;
  for (std::uint64_t up = 0; up < kNear; up += 8) {
    std::uint64_t word = 0;
    if (!memory_.read(state.sp() + up, word)) return false;
    const MappedRange* range = word == 0 ? nullptr : ranges_.find(space, word - 1);
    if (range == nullptr || range->module == nullptr) continue;
    if (!call_before(space, memory_, word).is_call()) continue;
    std::array<std::byte, 16> behind{};
    const std::size_t count = read_code(space, memory_, word, behind);
    if (exits_thread(Bytes{behind}.first(count))) return true;
    ModuleTables& tables = modules_.get(range->module);
    const auto vaddr = tables.vaddr_of_offset(word - 1 - range->start + range->file_offset);
    if (vaddr && tables.at_entry(*vaddr)) return true;
  }
  return false;
}

// A call through a bad pointer: the thread faults where no code is, its caller is on the stack.
StepEnd TableUnwinder::step_outside_code(const AddressSpace& space, UnwindState& state) {
  std::uint64_t address = 0;
  if (!state.exact_pc || !memory_.read(state.sp(), address)) return StepEnd::truncated;
  if (!call_before(space, memory_, address).is_call()) return StepEnd::truncated;
  state.set(UserRegisters::kPc, address);
  state.set(UserRegisters::kStackPointer, state.sp() + 8);
  state.exact_pc = false;
  return StepEnd::caller;
}

const CachedStep& TableUnwinder::look_up(const AddressSpace& space, const MappedRange& range,
                                         const UnwindState& state) {
  const Module* module = range.module.get();
  // Code without a file changes under its address, and guests look at it themselves.
  if (module == nullptr || module->kind == ModuleKind::jit) {
    uncached_ = {};
    fill(uncached_, space, range, state);
    return uncached_;
  }
  const std::uint64_t offset = state.lookup_pc() - range.start + range.file_offset;
  const std::uint64_t key = offset << 1 | (state.exact_pc ? 1 : 0);
  CachedStep& entry = cache_.slot(module, key);
  if (entry.module == module && entry.key == key) return entry;
  entry = {};
  fill(entry, space, range, state);
  entry.module = module;
  entry.key = key;
  return entry;
}

bool TableUnwinder::signal_return_at(const AddressSpace& space, std::uint64_t pc) {
  constexpr std::size_t kBehind = 9;
  std::array<std::byte, kBehind + 9> code{};
  // The bytes behind may belong to no mapping, where the trampoline begins a segment.
  for (const std::size_t behind : {kBehind, std::size_t{0}}) {
    if (pc < behind) continue;
    const std::size_t count = read_code(space, memory_, pc - behind, code);
    if (count > behind && is_signal_return(Bytes{code}.first(count), behind)) return true;
  }
  return false;
}

void TableUnwinder::fill(CachedStep& out, const AddressSpace& space, const MappedRange& range,
                         const UnwindState& state) {
  using By = CachedStep::By;
  const std::uint64_t pc = state.lookup_pc();
  out.vaddr = pc;
  if (options_.by == UnwindBy::frame_pointers) {
    out.by = signal_return_at(space, state.pc()) ? By::signal_return : By::frame_pointer;
    return;
  }
  if (range.module != nullptr) out.tables = &modules_.get(range.module);
  const auto vaddr = out.tables == nullptr
                         ? std::nullopt
                         : out.tables->vaddr_of_offset(pc - range.start + range.file_offset);
  if (vaddr) {
    out.vaddr = *vaddr;
    // For a trampoline the table is asked too, unless the pc is only said to lie behind a call:
    // then the row found is that of whatever stands before the trampoline.
    const bool trampoline = signal_return_at(space, state.pc());
    if (CfiTables* cfi = out.tables->cfi(); cfi != nullptr) out.row = cfi->find(*vaddr);
    if (trampoline && !out.row.signal_frame) {
      out.by = By::signal_return;
      return;
    }
  }
  const CodePlace place{space, range, out.tables, pc, out.vaddr};
  for (std::size_t i = 0; i < guests_.size(); ++i) {
    if (!guests_[i]->owns(place)) continue;
    out.by = By::guest;
    out.guest = static_cast<std::uint8_t>(i);
    return;
  }
  if (out.row.kind != UnwindRow::Kind::none) {
    out.by = By::row;
  } else if (vaddr && out.tables->at_entry(*vaddr)) {
    out.by = By::root;
  }
}

bool TableUnwinder::returns_without_call(const AddressSpace& space, const UnwindState& state) {
  const std::uint64_t pc = state.lookup_pc();
  const MappedRange* range = ranges_.find(space, pc);
  if (range == nullptr) return false;
  const CachedStep& how = look_up(space, *range, state);
  if (how.by == CachedStep::By::signal_return) return true;
  if (how.by == CachedStep::By::row) return how.row.signal_frame;
  return how.by == CachedStep::By::guest && guests_[how.guest]->returns_without_call(CodePlace{
                                                space, *range, how.tables, pc, how.vaddr});
}

// Whether a step can have led to a caller: towards the stack's start, into code, and where the
// stack was read from the running process to behind a call.
bool TableUnwinder::believable(const AddressSpace& space, Before before, const UnwindState& after) {
  const bool first_of_link = kHasLinkRegister && before.exact_pc;
  const bool advances = after.sp() > before.sp || (first_of_link && after.sp() == before.sp);
  if (!advances && !after.exact_pc && !after.switched_stack) return false;
  if (ranges_.find(space, after.lookup_pc()) == nullptr) {
    // A frame interrupted outside of code is shown; anything else is a wrong turn.
    return after.exact_pc && !memory_.live_used();
  }
  if (!memory_.live_used() || after.exact_pc) return true;
  return call_before(space, memory_, after.pc()).may_return_here() ||
         returns_without_call(space, after);
}

void TableUnwinder::keep_within_limits() {
  if (++unwinds_ % kUnwindsBetweenMeasures == 0 && modules_.memory() > options_.max_table_bytes) {
    modules_.clear();
    cache_.clear();
    modules_at_sweep_ = 0;
  }
  if (modules_.size() < modules_at_sweep_ + kModulesBetweenSweeps) return;
  if (modules_.forget_unused()) cache_.clear();
  modules_at_sweep_ = modules_.size();
}

}  // namespace

std::unique_ptr<Unwinder> make_unwinder(UnwindOptions options) {
  return std::make_unique<TableUnwinder>(options);
}

}  // namespace hprof::symbolize
