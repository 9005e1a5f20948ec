// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/function_scan.h"
#include "symbolize/elf/symbol_index.h"
#include "symbolize/frame.h"

#include <functional>
#include <map>
#include <span>

namespace hprof::symbolize {

/// Names the addresses that one unit describes: the function, the calls inlined there, the lines.
/// For one thread; units may be shared.
class UnitNamer {
 public:
  using SymbolOf = std::function<const CodeSymbol*(std::uint64_t address)>;

  /// `unit` holds the functions (the split unit, where there is one). `symbol_of` gives the names
  /// that debug info lacks. Both must outlive the namer.
  UnitNamer(const Unit& unit, SymbolOf symbol_of) : unit_(unit), symbol_of_(std::move(symbol_of)) {}

  /// The frames at each of `addresses` (sorted), innermost first; empty where there is no name.
  std::vector<Frames> name(std::span<const std::uint64_t> addresses);

 private:
  // What a function's entry and those it refers to say.
  struct Described {
    std::string name;
    std::string file;
    std::uint32_t line = 0;
    bool is_linkage_name = false;
  };
  struct Function {
    Described self;
    std::vector<InlineNode> inlines;
  };

  Frames frames_at(std::uint64_t address, const LineRow& row);
  Frames frames_without_function(std::uint64_t address, const LineRow& row) const;
  Function& function(std::uint32_t id);
  Described describe(const Unit& unit, std::uint64_t offset) const;
  void prefer_symbol(Described& what, std::uint64_t offset) const;
  const Described& described(const FormValue& origin);
  const std::string& file_path(std::uint64_t number);
  void add_frame(const Described& what, std::uint64_t file, std::uint32_t line,
                 std::uint32_t column, Frames& out);

  const Unit& unit_;
  SymbolOf symbol_of_;
  std::map<std::uint32_t, Function> functions_;
  std::map<std::pair<FormClass, std::uint64_t>, Described> origins_;
  std::map<std::uint64_t, std::string> files_;
};

}  // namespace hprof::symbolize
