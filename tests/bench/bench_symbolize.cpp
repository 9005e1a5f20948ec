// SPDX-License-Identifier: Apache-2.0
// bench_symbolize [-c CACHE_DIR] [-n COUNT] [-j THREADS] [-p] FILE
// Names COUNT addresses spread over the code of an ELF file, cold (nothing remembered) and warm (by
// the symbol cache, if -c gives its folder). -p reads virtual addresses in hex from standard input
// instead and prints their frames as `addr2line -aif` does.
#include "symbolize/elf/elf_image.h"

#include <hprof/symbolize/symbolizer.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <iostream>
#include <random>

using namespace hprof;
using namespace hprof::symbolize;

namespace {

struct Arguments {
  std::string file;
  SymbolizerOptions options{};
  std::size_t count = 10000;
  bool print = false;
};

RawProfile raw_profile(const ModulePtr& module, const std::vector<std::uint64_t>& offsets) {
  RawProfile raw;
  raw.profile.add_sample_type("samples", "count");
  const MappingId mapping =
      raw.profile.add_mapping({.start = std::uint64_t{1} << 40,
                               .limit = (std::uint64_t{1} << 40) + module->bytes().size(),
                               .file_offset = 0,
                               .filename = raw.profile.intern(module->path)});
  raw.modules = {nullptr, module};
  for (const std::uint64_t offset : offsets) {
    const LocationId location =
        raw.profile.intern_location(mapping, (std::uint64_t{1} << 40) + offset);
    const std::array<std::int64_t, 1> one{1};
    raw.profile.add_sample(raw.profile.intern_stack(0, location), 0, one);
  }
  return raw;
}

std::vector<std::uint64_t> spread_offsets(const ElfImage& image, std::size_t count) {
  std::vector<std::uint64_t> out;
  std::mt19937_64 random{7};
  for (const ElfSegment& s : image.segments()) {
    if (s.type != PT_LOAD || (s.flags & PF_X) == 0 || s.file_size == 0) continue;
    for (std::size_t i = 0; i < count; ++i) out.push_back(s.offset + random() % s.file_size);
  }
  return out;
}

void print_frames(const Profile& profile, const std::vector<std::uint64_t>& addresses) {
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    std::cout << "0x" << std::hex << addresses[id - 1] << std::dec << "\n";
    if (profile.lines(id).empty()) std::cout << "??\n??:0\n";
    for (const Line& line : profile.lines(id)) {
      const Function& f = profile.function(line.function);
      std::cout << profile.string(f.system_name) << "\n"
                << profile.string(f.filename) << ":" << line.line << "\n";
    }
  }
}

double time_once(const Arguments& arguments, const ModulePtr& module,
                 const std::vector<std::uint64_t>& offsets) {
  RawProfile raw = raw_profile(module, offsets);
  const auto start = std::chrono::steady_clock::now();
  const auto symbolizer = make_symbolizer(arguments.options);
  symbolizer->symbolize(raw, {});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::size_t named = 0;
  std::size_t frames = 0;
  for (LocationId id = 1; id <= raw.profile.location_count(); ++id) {
    if (!raw.profile.lines(id).empty()) ++named;
    frames += raw.profile.lines(id).size();
  }
  std::cout << raw.profile.location_count() << " addresses, " << named << " named, " << frames
            << " frames, " << raw.profile.function_count() << " functions: " << taken.count() * 1000
            << " ms\n";
  for (const std::string& note : symbolizer->coverage_notes()) std::cout << "  " << note << "\n";
  return taken.count();
}

Arguments parse(int argc, char** argv) {
  Arguments out;
  out.options.cache = false;
  for (int option = getopt(argc, argv, "c:n:j:pd:"); option != -1;
       option = getopt(argc, argv, "c:n:j:pd:")) {
    if (option == 'c') {
      out.options.cache = true;
      out.options.cache_dir = optarg;
    }
    if (option == 'n') out.count = strtoul(optarg, nullptr, 10);
    if (option == 'j') out.options.threads = static_cast<unsigned>(strtoul(optarg, nullptr, 10));
    if (option == 'd') out.options.debug_dirs.emplace_back(optarg);
    if (option == 'p') out.print = true;
  }
  if (optind < argc) out.file = argv[optind];
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::file;
  module->path = arguments.file;
  auto file = MappedFile::open(arguments.file);
  if (!file) {
    std::cerr << file.error().message << "\n";
    return 1;
  }
  module->file = *std::move(file);
  const auto image = ElfImage::parse(module->bytes());
  if (!image) {
    std::cerr << image.error().message << "\n";
    return 1;
  }
  if (!arguments.print) {
    const std::vector<std::uint64_t> offsets = spread_offsets(*image, arguments.count);
    time_once(arguments, module, offsets);
    time_once(arguments, module, offsets);
    return 0;
  }
  std::vector<std::uint64_t> addresses;
  std::vector<std::uint64_t> offsets;
  for (std::string word; std::cin >> word;) {
    addresses.push_back(strtoull(word.c_str(), nullptr, 16));
    offsets.push_back(image->offset_of_address(addresses.back()).value_or(0));
  }
  RawProfile raw = raw_profile(module, offsets);
  make_symbolizer(arguments.options)->symbolize(raw, {});
  print_frames(raw.profile, addresses);
  return 0;
}
