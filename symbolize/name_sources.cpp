// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debuginfo/debug_files.h"
#include "symbolize/elf/elf_image.h"

#include <hprof/symbolize/name_sources.h>

#include <fmt/format.h>

namespace hprof::symbolize {
namespace {

bool has(const ElfImage& image, std::string_view section) {
  const ElfSection* found = image.find_section(section);
  return found != nullptr && !image.section_bytes(*found).empty();
}

void look_into(const ElfImage& image, NameSources& sources) {
  sources.symbol_table = sources.symbol_table || has(image, ".symtab");
  sources.dynamic_symbols = sources.dynamic_symbols || has(image, ".dynsym");
  sources.mini_debug_info = sources.mini_debug_info || has(image, ".gnu_debugdata");
  // With -buildmode=pie the table may stand in a section of another name.
  sources.go_table = sources.go_table || has(image, ".gopclntab") ||
                     has(image, ".data.rel.ro.gopclntab") || has(image, ".go.buildinfo");
  sources.debug_info =
      sources.debug_info || has(image, ".debug_info") || has(image, ".zdebug_info");
}

}  // namespace

std::string NameSources::sentence() const {
  const std::string where = debug_file.empty() ? "" : fmt::format(" ({})", debug_file);
  if (debug_info) return fmt::format("{}debug info{}", symbol_table ? "symbols and " : "", where);
  if (symbol_table) return fmt::format("symbols{}, no lines or inlined functions", where);
  if (mini_debug_info) return "minimal symbols, no lines or inlined functions";
  if (go_table) return "Go's function table";
  return dynamic_symbols ? "exported functions only" : "no names";
}

NameSources find_name_sources(const Module& module, const SymbolizerOptions& options) {
  NameSources sources;
  const auto image = ElfImage::parse(module.bytes());
  if (!image) return sources;
  look_into(*image, sources);
  sources.build_id = image->build_id();
  if (sources.debug_info) return sources;
  const DebugFinder finder{options};
  if (const DebugFilePtr file = finder.find_debug(module, &*image, sources.build_id)) {
    look_into(file->image, sources);
    sources.debug_file = file->path;
  }
  return sources;
}

}  // namespace hprof::symbolize
