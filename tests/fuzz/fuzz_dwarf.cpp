// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/unit_names.h"
#include "symbolize/file_names.h"

using namespace hprof;
using namespace hprof::symbolize;

namespace {

// The units of a .dwo, which the ordinary way finds only by name.
void walk_split_units(const ElfImage& image) {
  const auto file = DwarfFile::open(image, DwarfFile::Flavour::dwo);
  if (!file || file->headers().empty()) return;
  const Unit skeleton{*file, file->headers().front(), nullptr};
  for (const UnitHeader& header : file->headers()) {
    const auto unit = file->open_split(header.dwo_id, skeleton);
    if (unit)
      UnitNamer{*unit, [](std::uint64_t) { return nullptr; }}.name(
          std::vector<std::uint64_t>{1, 64, 4096});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto image = ElfImage::parse(std::as_bytes(std::span{data, size}));
  if (!image) return 0;
  walk_split_units(*image);
  const SymbolizerOptions options;
  const DebugFinder finder{options};
  const Module module{.kind = ModuleKind::file,
                      .path = "/nonexistent/fuzz",
                      .file = {},
                      .copied = {},
                      .unreadable = {},
                      .build_id = {}};
  const auto names = FileNames::open(module, &*image, nullptr, finder);
  std::vector<std::uint64_t> addresses;
  for (const ElfSegment& segment : image->segments()) {
    for (std::uint64_t i = 0; i < 64; ++i) addresses.push_back(segment.address + i * 16);
  }
  for (const ElfSection& section : image->sections()) addresses.push_back(section.address + 4);
  std::ranges::sort(addresses);
  std::vector<Frames> out(addresses.size());
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = 0; i < addresses.size(); ++i) wanted.push_back(i);
  for (const NamingTask& task : names->plan(addresses, wanted)) names->run(task, addresses, out);
  return 0;
}
