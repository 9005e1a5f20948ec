// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/function_scan.h"

#include <dwarf.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

// Deeper nesting than any compiler makes (templates of templates reach some dozens).
constexpr std::size_t kMaxDepth = 4096;
constexpr std::size_t kMaxInlines = 1 << 20;
constexpr std::size_t kMaxInlineRanges = 1 << 22;

bool is_scope(std::uint16_t tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_interface_type;
}

// Entries whose children can hold no code.
bool is_barren(std::uint16_t tag) {
  return tag == DW_TAG_enumeration_type || tag == DW_TAG_array_type ||
         tag == DW_TAG_subroutine_type || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site || tag == DW_TAG_variant_part;
}

class Scanner {
 public:
  explicit Scanner(const Unit& unit) : unit_(unit) {}

  UnitScan run() {
    ByteReader r = unit_.reader(unit_.header().first_die);
    while (r.ok() && !r.at_end()) {
      const Die die = unit_.read_die(r);
      if (die.abbrev == nullptr) {
        if (!r.ok() || open_.empty()) break;
        close(r.position());
        if (open_.empty()) break;  // the root has ended
        continue;
      }
      visit(r, die);
    }
    while (!open_.empty()) close(unit_.header().end);
    scan_.by_address.settle();
    return std::move(scan_);
  }

 private:
  static constexpr std::uint32_t kNoScope = 0xffffffff;

  void visit(ByteReader& r, const Die& die) {
    std::uint32_t scope = kNoScope;
    std::uint64_t sibling = 0;
    if (die.abbrev->tag == DW_TAG_subprogram) {
      const DieFacts facts = unit_.read_facts(r, *die.abbrev);
      add_function(die, facts);
      // Its scopes will be its only qualification.
      if (facts.linkage_name.kind == FormClass::none && facts.name.kind != FormClass::none) {
        needed_ = open_.size();
      }
    } else if (is_scope(die.abbrev->tag) && die.abbrev->has_children) {
      const DieFacts facts = unit_.read_facts(r, *die.abbrev);
      scope = static_cast<std::uint32_t>(scan_.scopes.size());
      scan_.scopes.push_back({.offset = die.offset,
                              .end = 0,
                              .name = unit_.text(facts.name),
                              .is_namespace = die.abbrev->tag == DW_TAG_namespace});
    } else {
      sibling = unit_.skip_attributes(r, *die.abbrev);
      if (die.abbrev->has_children && sibling != 0 && is_barren(die.abbrev->tag)) {
        r.seek(sibling);
        return;
      }
    }
    if (die.abbrev->has_children) {
      if (open_.size() >= kMaxDepth) return r.fail();
      open_.push_back(scope);
    } else if (open_.empty()) {
      r.fail();  // a root without children: there is nothing behind it
    }
  }

  void add_function(const Die& die, const DieFacts& facts) {
    ranges_.clear();
    unit_.ranges(facts, ranges_);
    if (ranges_.empty()) return;
    const auto id = static_cast<std::uint32_t>(scan_.functions.size());
    scan_.functions.push_back(die.offset);
    for (const AddressRange& range : ranges_) scan_.by_address.add(range.low, range.high, id);
  }

  // Keeps a scope only if a function in it needs one: C++ units have tens of thousands of types.
  void close(std::uint64_t end) {
    const std::uint32_t scope = open_.back();
    const bool needed = needed_ >= open_.size();
    open_.pop_back();
    needed_ = std::min(needed_, open_.size());
    if (scope == kNoScope) return;
    scan_.scopes[scope].end = end;
    if (!needed && scope + 1 == scan_.scopes.size()) scan_.scopes.pop_back();
  }

  const Unit& unit_;
  UnitScan scan_;
  std::vector<std::uint32_t> open_;  // the scope of each entry around, or kNoScope
  std::size_t needed_ = 0;           // how many of them a function will be qualified by
  std::vector<AddressRange> ranges_;
};

}  // namespace

UnitScan scan_unit(const Unit& unit) {
  return Scanner{unit}.run();
}

std::string scope_prefix(const UnitScan& scan, std::uint64_t offset) {
  std::string prefix;
  for (const Scope& scope : scan.scopes) {
    if (scope.offset >= offset) break;
    if (offset >= scope.end) continue;
    if (!scope.name.empty()) {
      prefix.append(scope.name);
    } else {
      prefix += scope.is_namespace ? "(anonymous namespace)" : "{unnamed type}";
    }
    prefix += "::";
  }
  return prefix;
}

std::vector<InlineNode> read_inlines(const Unit& unit, std::uint64_t offset) {
  std::vector<InlineNode> nodes;
  std::size_t range_count = 0;
  ByteReader r = unit.reader(offset);
  const Die function = unit.read_die(r);
  if (function.abbrev == nullptr || !function.abbrev->has_children) return nodes;
  unit.skip_attributes(r, *function.abbrev);
  std::vector<std::uint32_t> open{InlineNode::kFunction};  // the call around, for each level
  std::size_t barren = 0;  // levels within entries that hold no inlined call of this function
  while (r.ok() && !open.empty()) {
    const Die die = unit.read_die(r);
    if (die.abbrev == nullptr) {
      if (barren > 0) {
        --barren;
      } else {
        open.pop_back();
      }
      continue;
    }
    std::uint32_t around = open.back();
    if (barren == 0 && die.abbrev->tag == DW_TAG_inlined_subroutine) {
      const DieFacts facts = unit.read_facts(r, *die.abbrev);
      InlineNode node{.parent = around,
                      .origin = facts.origin,
                      .call_file = facts.call_file,
                      .call_line = facts.call_line,
                      .call_column = facts.call_column,
                      .ranges = {}};
      unit.ranges(facts, node.ranges);
      range_count += node.ranges.size();
      if (nodes.size() >= kMaxInlines || range_count > kMaxInlineRanges) break;
      around = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(std::move(node));
    } else {
      const std::uint64_t sibling = unit.skip_attributes(r, *die.abbrev);
      const std::uint16_t tag = die.abbrev->tag;
      const bool holds_calls = tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
                               tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
      if (!holds_calls && die.abbrev->has_children) {
        if (sibling != 0) {
          r.seek(sibling);
        } else {
          ++barren;
        }
        continue;
      }
    }
    if (!die.abbrev->has_children) continue;
    if (barren > 0) {
      ++barren;
    } else {
      open.push_back(around);
    }
    if (open.size() + barren > kMaxDepth) break;
  }
  return nodes;
}

}  // namespace hprof::symbolize
