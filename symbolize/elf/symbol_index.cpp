// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf/symbol_index.h"

#include "symbolize/elf/decompress.h"
#include "symbolize/elf/plt.h"
#include "symbolize/elf/symbol_table.h"

#include <elf.h>

#include <algorithm>
#include <limits>

namespace hprof::symbolize {
namespace {

constexpr std::uint64_t kMaxMiniDebugInfo = std::uint64_t{1} << 28;

struct Candidate {
  CodeSymbol symbol;  // end == start: the size is not told
  std::uint64_t section_end = 0;
  bool is_label = false;
  std::uint8_t binding = 0;
};

std::uint64_t end_of_section(const ElfImage& image, const ElfSymbol& symbol) {
  if (symbol.section < image.sections().size()) {
    const ElfSection& s = image.sections()[symbol.section];
    if (symbol.value >= s.address && symbol.value - s.address < s.size) return s.address + s.size;
  }
  for (const ElfSegment& s : image.segments()) {
    if (s.type == PT_LOAD && symbol.value >= s.address &&
        symbol.value - s.address < s.memory_size) {
      return s.address + s.memory_size;
    }
  }
  return symbol.value;
}

// With the same start: a sized one, no label, a global before a weak before a local one, fewer
// leading underscores, then the longer name. Source: perf's choose_best_symbol().
bool better(const Candidate& a, const Candidate& b) {
  const auto sized = [](const Candidate& c) { return c.symbol.end > c.symbol.start; };
  if (sized(a) != sized(b)) return sized(a);
  if (a.is_label != b.is_label) return !a.is_label;
  const auto rank = [](const Candidate& c) {
    if (c.binding == STB_WEAK) return 1;
    return c.binding == STB_LOCAL ? 2 : 0;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  const auto underscores = [](const Candidate& c) {
    return std::min(c.symbol.name.find_first_not_of('_'), c.symbol.name.size());
  };
  // "_Z" is a mangled name, not a private one.
  const auto score = [&](const Candidate& c) {
    return c.symbol.name.starts_with("_Z") || c.symbol.name.starts_with("_R") ? 0 : underscores(c);
  };
  if (score(a) != score(b)) return score(a) < score(b);
  if (a.symbol.name.size() != b.symbol.name.size()) {
    return a.symbol.name.size() > b.symbol.name.size();
  }
  return a.symbol.name < b.symbol.name;
}

void add_rows(const ElfImage& image, const std::vector<ElfSymbol>& rows,
              std::vector<Candidate>& out) {
  for (const ElfSymbol& row : rows) {
    if (!may_name_code(image, row)) continue;
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - row.value;
    out.push_back({.symbol = {row.value, row.value + std::min(row.size, room), row.name},
                   .section_end = end_of_section(image, row),
                   .is_label = row.type == STT_NOTYPE,
                   .binding = row.binding});
  }
}

void add_tables(const ElfImage& image, std::vector<Candidate>& out, bool& has_full_table) {
  for (const ElfSection& s : image.sections()) {
    if (s.type != SHT_SYMTAB && s.type != SHT_DYNSYM) continue;
    const std::vector<ElfSymbol> rows = read_symbols(image, s);
    if (s.type == SHT_SYMTAB && !rows.empty()) has_full_table = true;
    add_rows(image, rows, out);
  }
  if (image.sections().empty()) add_rows(image, read_dynamic_symbols(image), out);
}

// Keeps the best for each start, then gives those without a size the room up to the next symbol,
// unless they lie inside a sized one: labels within a function are not functions.
std::vector<CodeSymbol> settle(std::vector<Candidate> candidates) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.symbol.start != b.symbol.start ? a.symbol.start < b.symbol.start : better(a, b);
  });
  const auto same_start = [](const Candidate& a, const Candidate& b) {
    return a.symbol.start == b.symbol.start;
  };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same_start), candidates.end());
  std::vector<CodeSymbol> out;
  out.reserve(candidates.size());
  std::uint64_t covered = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    CodeSymbol symbol = candidates[i].symbol;
    if (symbol.end == symbol.start) {
      if (symbol.start < covered) continue;
      symbol.end = std::max(candidates[i].section_end, symbol.start);
      if (i + 1 < candidates.size())
        symbol.end = std::min(symbol.end, candidates[i + 1].symbol.start);
    } else {
      covered = std::max(covered, symbol.end);
    }
    if (symbol.end > symbol.start) out.push_back(symbol);
  }
  return out;
}

}  // namespace

SymbolIndex SymbolIndex::build(const ElfImage& image, const ElfImage* debug) {
  SymbolIndex index;
  std::vector<Candidate> candidates;
  add_tables(image, candidates, index.has_full_table_);
  if (debug != nullptr) add_tables(*debug, candidates, index.has_full_table_);

  const Bytes packed = image.section_bytes(".gnu_debugdata");
  if (!index.has_full_table_ && !packed.empty()) {
    if (auto inner = inflate_xz(packed, kMaxMiniDebugInfo); inner) {
      index.mini_debug_info_ = *std::move(inner);
      if (const auto mini = ElfImage::parse(index.mini_debug_info_); mini) {
        add_tables(*mini, candidates, index.has_full_table_);
      }
    }
  }
  std::vector<ElfSymbol> ifuncs;
  if (const ElfSection* symtab = image.find_section(".symtab"); symtab != nullptr) {
    ifuncs = read_symbols(image, *symtab);
  }
  for (const PltEntry& entry : read_plt(image, ifuncs)) {
    index.made_names_.push_back(std::make_unique<std::string>(std::string(entry.name) + "@plt"));
    candidates.push_back(
        {.symbol = {entry.start, entry.end, *index.made_names_.back()}, .section_end = entry.end});
  }
  index.symbols_ = settle(std::move(candidates));
  for (std::uint32_t i = 0; i < index.symbols_.size(); ++i) {
    index.by_address_.add(index.symbols_[i].start, index.symbols_[i].end, i);
  }
  index.by_address_.settle();
  return index;
}

const CodeSymbol* SymbolIndex::find(std::uint64_t address) const {
  const std::uint32_t found = by_address_.find(address);
  return found == IntervalMap::kNone ? nullptr : &symbols_[found];
}

}  // namespace hprof::symbolize
