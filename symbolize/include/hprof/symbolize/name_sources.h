// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/module.h>
#include <hprof/symbolize/symbolizer.h>

#include <string>

namespace hprof::symbolize {

/// What the names of a module's functions can come from; nothing is read but section headers.
struct NameSources {
  bool symbol_table = false;     ///< .symtab
  bool dynamic_symbols = false;  ///< .dynsym: exported functions only
  bool mini_debug_info = false;  ///< .gnu_debugdata
  bool go_table = false;         ///< .gopclntab
  bool debug_info = false;       ///< DWARF: inlined functions and lines too
  std::string debug_file;        ///< the separate file that has it, or empty
  std::string build_id;          ///< lower-case hex, or empty

  /// Whether functions that are not exported have names.
  [[nodiscard]] bool names_everything() const {
    return symbol_table || mini_debug_info || go_table || debug_info;
  }
  /// "symbols and debug info", "exported functions only", "no names".
  [[nodiscard]] std::string sentence() const;
};

/// Looks where the symbolizer would look. A module without bytes has no sources.
NameSources find_name_sources(const Module& module, const SymbolizerOptions& options);

}  // namespace hprof::symbolize
