// SPDX-License-Identifier: Apache-2.0
#include "symbolize_support.h"

#include "symbolize/elf/symbol_index.h"

#include <hprof/core/base/mapped_file.h>

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace hprof::symbolize_test {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hprof-symbols-XXXXXX").native();
  if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(std::string_view name, std::string_view text) const {
  const std::string path = *this / name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string output_of(const std::string& command, std::string_view input) {
  std::string full = "( " + command + " ) 2>/dev/null";
  TemporaryFolder folder;
  if (!input.empty()) full += " <" + folder.write("input", input);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{popen(full.c_str(), "r"), pclose};
  std::string out;
  std::array<char, 4096> buffer{};
  while (pipe) {
    const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get());
    if (n == 0) break;
    out.append(buffer.data(), n);
  }
  return out;
}

bool run(const std::string& command) {
  return ::system(("( " + command + " ) >/dev/null 2>&1").c_str()) == 0;
}

bool has_tool(const std::string& name) {
  return run("command -v " + name);
}

std::vector<NamedFrames> name_addresses(const std::string& path,
                                        const std::vector<std::uint64_t>& addresses) {
  return name_addresses(path, addresses, {.cache = false});
}

std::vector<NamedFrames> name_addresses(const std::string& path,
                                        const std::vector<std::uint64_t>& addresses,
                                        symbolize::SymbolizerOptions options) {
  std::vector<NamedFrames> out(addresses.size());
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::file;
  module->path = path;
  auto file = MappedFile::open(path);
  if (!file) return out;
  module->file = *std::move(file);
  const auto image = symbolize::ElfImage::parse(module->bytes());
  if (!image) return out;
  constexpr std::uint64_t kBase = 0x7f0000000000;
  RawProfile raw;
  raw.modules = {nullptr, module};
  const MappingId mapping =
      raw.profile.add_mapping({.start = kBase, .limit = kBase + module->bytes().size()});
  std::vector<LocationId> locations;
  for (const std::uint64_t address : addresses) {
    const auto offset = image->offset_of_address(address);
    locations.push_back(offset ? raw.profile.intern_location(mapping, kBase + *offset) : 0);
  }
  symbolize::make_symbolizer(std::move(options))->symbolize(raw, {});
  const auto text = [&](StringId id) { return std::string(raw.profile.string(id)); };
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (locations[i] == 0) continue;
    for (const Line& line : raw.profile.lines(locations[i])) {
      const Function& f = raw.profile.function(line.function);
      out[i].push_back({text(f.system_name), text(f.filename), line.line, f.start_line});
    }
  }
  return out;
}

namespace {

// "/a/b.c:12 (discriminator 3)" or "/a/b.c:12:7" or "??:0"
void parse_place(std::string place, NamedFrame& frame) {
  place = place.substr(0, place.find(" ("));
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return;
  frame.line = strtol(place.c_str() + colon + 1, nullptr, 10);
  frame.file = std::filesystem::path(place.substr(0, colon)).lexically_normal().native();
}

}  // namespace

std::vector<NamedFrames> name_by_tool(const std::string& tool, const std::string& file,
                                      const std::vector<std::uint64_t>& addresses) {
  std::ostringstream input;
  for (const std::uint64_t address : addresses) input << "0x" << std::hex << address << "\n";
  std::istringstream rows(output_of(tool + " -aif -e " + file, input.str()));
  std::vector<NamedFrames> out;
  for (std::string row; std::getline(rows, row);) {
    if (row.starts_with("0x")) {
      out.emplace_back();
      continue;
    }
    std::string place;
    if (out.empty() || !std::getline(rows, place)) break;
    NamedFrame frame{row, {}, 0, 0};
    parse_place(place, frame);
    out.back().push_back(std::move(frame));
  }
  out.resize(addresses.size());
  return out;
}

std::vector<std::uint64_t> code_addresses(const std::string& path, std::size_t count) {
  std::vector<std::uint64_t> out;
  const auto file = MappedFile::open(path);
  if (!file) return out;
  const auto image = symbolize::ElfImage::parse(file->bytes());
  if (!image) return out;
  const symbolize::ElfSection* text = image->find_section(".text");
  if (text == nullptr) return out;
  const std::uint64_t step = std::max<std::uint64_t>(1, text->size / count);
  for (std::uint64_t at = 0; at < text->size; at += step) out.push_back(text->address + at);
  const auto index = symbolize::SymbolIndex::build(*image, nullptr);
  for (const symbolize::CodeSymbol& symbol : index.symbols()) {
    const bool in_text = symbol.start >= text->address && symbol.start - text->address < text->size;
    if (in_text && !symbol.name.ends_with("@plt")) out.push_back(symbol.start);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace hprof::symbolize_test
