// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/cfi_step.h"

#include "symbolize/unwind/dwarf_expression.h"

#include <bit>

namespace hprof::symbolize {
namespace {

StepEnd finish(UnwindState& state, std::uint64_t cfa, bool sp_restored, bool signal_frame) {
  if (!sp_restored) state.set(UserRegisters::kStackPointer, cfa);
  if (!state.knows(kReturnColumn)) return StepEnd::truncated;
  state.set(UserRegisters::kPc, code_address(state.registers.value[kReturnColumn]));
  state.exact_pc = signal_frame;
  return state.pc() == 0 ? StepEnd::root : StepEnd::caller;
}

// The hot path.
StepEnd step_compact(const UnwindRow& row, StackMemory& memory, UnwindState& state) {
  if (!state.knows(row.cfa_register)) return StepEnd::truncated;
  const std::uint64_t cfa = state.registers.value[row.cfa_register] +
                            static_cast<std::uint64_t>(std::int64_t{row.cfa_offset});
  for (unsigned left = row.saved_mask; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const auto offset = static_cast<std::uint64_t>(std::int64_t{row.saved[i]} * 8);
    const std::uint8_t reg = kSavedRegisters[i];
    if (!memory.read(cfa + offset, state.registers.value[reg])) return StepEnd::truncated;
    state.known |= std::uint64_t{1} << reg;
  }
  return finish(state, cfa, false, row.signal_frame);
}

std::optional<std::uint64_t> cfa_of(const CfaRule& rule, const UnwindState& state,
                                    StackMemory& memory, std::uint64_t bias) {
  if (rule.by_expression) {
    return evaluate_expression(rule.expression, state, memory, bias, std::nullopt);
  }
  const auto base = state.get(rule.reg);
  if (!base) return std::nullopt;
  return *base + static_cast<std::uint64_t>(rule.offset);
}

std::optional<std::uint64_t> loaded(StackMemory& memory, std::optional<std::uint64_t> address) {
  std::uint64_t value = 0;
  if (!address || !memory.read(*address, value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> value_of(const RegisterRule& rule, std::uint64_t cfa,
                                      const UnwindState& state, StackMemory& memory,
                                      std::uint64_t bias) {
  using Kind = RegisterRule::Kind;
  const auto offset = static_cast<std::uint64_t>(rule.value);
  switch (rule.kind) {
    case Kind::offset:
      return loaded(memory, cfa + offset);
    case Kind::val_offset:
      return cfa + offset;
    case Kind::reg:
      return state.get(offset);
    case Kind::expression:
      return loaded(memory, evaluate_expression(rule.expression, state, memory, bias, cfa));
    case Kind::val_expression:
      return evaluate_expression(rule.expression, state, memory, bias, cfa);
    case Kind::same:
    case Kind::undefined:
      break;
  }
  return std::nullopt;
}

StepEnd step_detailed(const DetailedRow& row, bool signal_frame, std::uint64_t bias,
                      StackMemory& memory, UnwindState& state) {
  const auto cfa = cfa_of(row.cfa, state, memory, bias);
  if (!cfa) return StepEnd::truncated;
  UnwindState next = state;
  bool sp_restored = false;
  for (const auto& [reg, rule] : row.rules) {
    const auto value = value_of(rule, *cfa, state, memory, bias);
    if (value) {
      next.set(reg, *value);
      sp_restored = sp_restored || reg == UserRegisters::kStackPointer;
    } else {
      // One register that is lost does no harm before a rule asks for it.
      next.forget(reg);
    }
  }
  const StepEnd end = finish(next, *cfa, sp_restored, signal_frame);
  if (end != StepEnd::truncated) state = next;
  return end;
}

}  // namespace

StepEnd step_by_row(const UnwindRow& row, const CfiTables& tables, std::uint64_t bias,
                    StackMemory& memory, UnwindState& state) {
  switch (row.kind) {
    case UnwindRow::Kind::compact:
      return step_compact(row, memory, state);
    case UnwindRow::Kind::detailed:
      return step_detailed(tables.detailed(row), row.signal_frame, bias, memory, state);
    case UnwindRow::Kind::root:
      return StepEnd::root;
    case UnwindRow::Kind::none:
      break;
  }
  return StepEnd::truncated;
}

}  // namespace hprof::symbolize
