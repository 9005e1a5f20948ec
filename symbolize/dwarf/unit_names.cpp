// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/unit_names.h"

#include "symbolize/dwarf/dwarf_file.h"

#include <dwarf.h>

namespace hprof::symbolize {
namespace {

// concrete -> abstract -> definition -> declaration is the longest chain that makes sense.
constexpr int kMaxHops = 8;

bool is_mangled(std::string_view name) {
  return name.starts_with("_Z") || name.starts_with("_R");
}

struct DiePlace {
  const Unit* unit = nullptr;
  std::uint64_t offset = 0;
};

DiePlace follow(const Unit& from, const FormValue& reference) {
  const std::uint64_t at = reference.value;
  if (reference.kind == FormClass::alt_reference) {
    const DwarfFile* alt = from.file().alt();
    return {alt == nullptr ? nullptr : alt->unit_at(at), at};
  }
  if (reference.kind != FormClass::reference) return {};
  // The unit itself first: one of a .dwo knows its skeleton, the file's own copy of it does not.
  if (at >= from.header().first_die && at < from.header().end) return {&from, at};
  return {from.file().unit_at(at), at};
}

}  // namespace

UnitNamer::Described UnitNamer::describe(const Unit& start, std::uint64_t start_offset) const {
  Described out;
  DiePlace at{&start, start_offset};
  std::string_view plain;
  DiePlace last = at;
  for (int hop = 0; hop < kMaxHops && at.unit != nullptr; ++hop) {
    ByteReader r = at.unit->reader(at.offset);
    const Die die = at.unit->read_die(r);
    if (die.abbrev == nullptr) break;
    const DieFacts facts = at.unit->read_facts(r, *die.abbrev);
    if (!r.ok()) break;
    if (!out.is_linkage_name && facts.linkage_name.kind != FormClass::none) {
      out.name = at.unit->text(facts.linkage_name);
      out.is_linkage_name = !out.name.empty();
    }
    if (plain.empty()) plain = at.unit->text(facts.name);
    // Line and file may stand apart: a definition names its line, its declaration the same file.
    if (out.line == 0) out.line = facts.decl_line;
    if (out.file.empty() && facts.decl_file) out.file = at.unit->file_path(*facts.decl_file);
    last = at;
    at = follow(*at.unit, facts.origin);
  }
  if (out.is_linkage_name || plain.empty()) return out;
  out.name = scope_prefix(last.unit->scan(), last.offset).append(plain);
  return out;
}

const UnitNamer::Described& UnitNamer::described(const FormValue& origin) {
  const auto [entry, fresh] = origins_.try_emplace({origin.kind, origin.value});
  if (fresh) {
    const DiePlace place = follow(unit_, origin);
    if (place.unit != nullptr) entry->second = describe(*place.unit, place.offset);
  }
  return entry->second;
}

UnitNamer::Function& UnitNamer::function(std::uint32_t id) {
  const auto [entry, fresh] = functions_.try_emplace(id);
  if (fresh) {
    const std::uint64_t offset = unit_.scan().functions[id];
    entry->second.self = describe(unit_, offset);
    prefer_symbol(entry->second.self, offset);
    entry->second.inlines = read_inlines(unit_, offset);
  }
  return entry->second;
}

// A function may have a better known name in the symbol table: the public alias of a C function
// (qsort_r for __GI___qsort_r), the mangled name where debug info gives none. Not that of a part or
// clone ("f.cold", "f.constprop.0"): it is the same function to a reader.
void UnitNamer::prefer_symbol(Described& what, std::uint64_t offset) const {
  if (what.is_linkage_name && is_mangled(what.name)) return;
  ByteReader r = unit_.reader(offset);
  const Die die = unit_.read_die(r);
  if (die.abbrev == nullptr) return;
  std::vector<AddressRange> ranges;
  unit_.ranges(unit_.read_facts(r, *die.abbrev), ranges);
  for (const AddressRange& range : ranges) {
    const CodeSymbol* symbol = symbol_of_(range.low);
    if (symbol == nullptr || symbol->start != range.low) continue;
    if (!what.name.empty() && symbol->name.find('.') != std::string_view::npos) continue;
    what.name = symbol->name;
    what.is_linkage_name = true;
    return;
  }
}

const std::string& UnitNamer::file_path(std::uint64_t number) {
  const auto [entry, fresh] = files_.try_emplace(number);
  if (fresh) entry->second = unit_.file_path(number);
  return entry->second;
}

void UnitNamer::add_frame(const Described& what, std::uint64_t file, std::uint32_t line,
                          std::uint32_t column, Frames& out) {
  Frame frame;
  frame.system_name = what.name;
  frame.file = line == 0 ? what.file : file_path(file);
  frame.line = line;
  frame.column = column;
  // A line number only means something in its own file.
  if (frame.file == what.file) frame.start_line = what.line;
  out.push_back(std::move(frame));
}

// Assembly: a unit with lines but without functions.
Frames UnitNamer::frames_without_function(std::uint64_t address, const LineRow& row) const {
  const CodeSymbol* symbol = symbol_of_(address);
  if (symbol == nullptr) return {};
  Frame frame;
  frame.system_name = symbol->name;
  if (row.line != 0) frame.file = unit_.file_path(row.file);
  frame.line = row.line;
  frame.column = row.column;
  return {std::move(frame)};
}

Frames UnitNamer::frames_at(std::uint64_t address, const LineRow& row) {
  const std::uint32_t id = unit_.scan().by_address.find(address);
  if (id == IntervalMap::kNone) return frames_without_function(address, row);
  Function& function = this->function(id);
  if (function.self.name.empty()) return {};

  std::vector<const InlineNode*> chain;  // outermost first
  std::uint32_t around = InlineNode::kFunction;
  for (std::uint32_t i = 0; i < function.inlines.size(); ++i) {
    const InlineNode& node = function.inlines[i];
    if (node.parent != around) continue;
    const bool here = std::ranges::any_of(
        node.ranges, [&](const AddressRange& range) { return range.contains(address); });
    if (!here) continue;
    around = i;
    chain.push_back(&node);
  }
  Frames out;
  std::uint64_t file = row.file;
  std::uint32_t line = row.line;
  std::uint32_t column = row.column;
  for (std::size_t i = chain.size(); i-- > 0;) {
    const Described& callee = described(chain[i]->origin);
    if (!callee.name.empty()) {
      add_frame(callee, file, line, column, out);
      file = chain[i]->call_file;
      line = chain[i]->call_line;
      column = chain[i]->call_column;
    }
  }
  add_frame(function.self, file, line, column, out);
  return out;
}

std::vector<Frames> UnitNamer::name(std::span<const std::uint64_t> addresses) {
  const std::vector<LineRow> rows = find_lines(unit_.lines(), addresses);
  std::vector<Frames> out;
  out.reserve(addresses.size());
  for (std::size_t i = 0; i < addresses.size(); ++i)
    out.push_back(frames_at(addresses[i], rows[i]));
  return out;
}

}  // namespace hprof::symbolize
