// SPDX-License-Identifier: Apache-2.0
// Bytes as .eh_frame, as .debug_frame, as .eh_frame_hdr and as an ELF image: indexed, compiled, and
// one step taken by every row, with the same bytes as the stack.
#include "symbolize/unwind/cfi_program.h"
#include "symbolize/unwind/cfi_step.h"
#include "symbolize/unwind/dwarf_expression.h"

#include <tuple>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::uint64_t kStack = 0x7000;

void run_section(const CfiSection& section, StackMemory& memory) {
  UnwindState state;
  state.set(UserRegisters::kStackPointer, kStack);
  std::uint64_t offset = 0;
  for (int entries = 0; entries < 200; ++entries) {
    const auto entry = read_cfi_entry(section, offset);
    if (!entry) break;
    const auto cie = read_cie(section, entry->cie_offset);
    const auto fde = cie ? read_fde(section, *entry, *cie) : std::nullopt;
    if (fde) {
      CfiProgram{section, *cie, *fde}.run([&](const CfiRow& row) {
        if (row.cfa.by_expression) {
          evaluate_expression(row.cfa.expression, state, memory, 0, std::nullopt);
        }
        for (const RegisterRule& rule : row.rules) {
          if (!rule.expression.empty()) evaluate_expression(rule.expression, state, memory, 0, 1);
        }
      });
    }
    offset = entry->next;
  }
  const FdeIndex index{section, 0, true};
  std::ignore = index.find(0x5000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes = std::as_bytes(std::span{data, size});
  StackMemory memory;
  memory.reset({kStack, bytes}, nullptr);
  run_section({.bytes = bytes, .vaddr = 0x1000}, memory);
  run_section({.bytes = bytes, .vaddr = 0, .eh = false}, memory);
  if (const auto hdr = EhFrameHdr::parse(bytes, 0x1000)) {
    for (std::uint64_t pc = 0x1000; pc < 0x9000; pc += 0x100) std::ignore = hdr->find(pc);
  }
  const auto image = ElfImage::parse(bytes);
  if (!image) return 0;
  CfiTables tables{*image};
  for (std::uint64_t pc = 0x1000; pc < 0x9000; pc += 0x80) {
    UnwindState state;
    state.set(UserRegisters::kStackPointer, kStack);
    step_by_row(tables.find(pc), tables, 0, memory, state);
  }
  return 0;
}
