// SPDX-License-Identifier: Apache-2.0
#include <hprof/symbolize/symbolizer.h>

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>

using namespace hprof;

extern "C" {
int hprof_test_named_function(int x);
__attribute__((noinline, used)) int hprof_test_named_function(int x) {
  return x * 3 + 1;
}
}

namespace {

// A raw profile of addresses in this very program.
RawProfile profile_of_self(std::span<const std::uint64_t> addresses) {
  RawProfile raw;
  raw.profile.add_sample_type("samples", "count");
  raw.modules.emplace_back();
  std::ifstream maps("/proc/self/maps");
  std::map<MappingId, std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (std::string line; std::getline(maps, line);) {
    unsigned long start = 0;
    unsigned long end = 0;
    unsigned long offset = 0;
    char mode[5];
    int path_at = 0;
    if (sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %n", &start, &end, mode, &offset, &path_at) <
        4)
      continue;  // NOLINT
    if (mode[2] != 'x' || line.size() <= static_cast<std::size_t>(path_at)) continue;
    auto module = std::make_shared<Module>();
    module->path = line.substr(static_cast<std::size_t>(path_at));
    if (module->path == "[vdso]") {
      module->kind = ModuleKind::vdso;
      module->copied.resize(end - start);
      memcpy(module->copied.data(), reinterpret_cast<const void*>(start), end - start);  // NOLINT
    } else if (auto file = MappedFile::open(module->path); file) {
      module->kind = ModuleKind::file;
      module->file = *std::move(file);
    }
    const MappingId id = raw.profile.add_mapping({.start = start,
                                                  .limit = end,
                                                  .file_offset = offset,
                                                  .filename = raw.profile.intern(module->path)});
    raw.modules.push_back(module);
    for (const std::uint64_t address : addresses) {
      if (address >= start && address < end) {
        const std::array<std::int64_t, 1> one{1};
        raw.profile.add_sample(
            raw.profile.intern_stack(0, raw.profile.intern_location(id, address)), 0, one);
      }
    }
  }
  return raw;
}

std::uint64_t address_of(void* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

}  // namespace

TEST_CASE("functions of the program, of libraries and of the vdso get their names") {
#ifdef __SANITIZE_ADDRESS__
  MESSAGE("skipped: the sanitizer puts its own qsort_r in the place of libc's");
  return;
#endif
  void* in_libc = dlsym(RTLD_DEFAULT, "qsort_r");
  REQUIRE(in_libc != nullptr);
  std::vector<std::uint64_t> addresses{
      address_of(reinterpret_cast<void*>(&hprof_test_named_function)) + 1, address_of(in_libc) + 5};
  RawProfile raw = profile_of_self(addresses);
  REQUIRE(raw.profile.location_count() == 2);
  auto symbolizer = symbolize::make_symbolizer({.cache = false});
  symbolizer->symbolize(raw, {});
  std::vector<std::string> names;
  for (LocationId id = 1; id <= 2; ++id)
    names.push_back(frame_name(raw.profile, id, raw.profile.lines(id).size() - 1));
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"hprof_test_named_function", "qsort_r"});
  const Mapping& mapping = raw.profile.mapping(raw.profile.location(1).mapping);
  CHECK(mapping.has_functions);
  CHECK(raw.profile.string(mapping.build_id).size() == 40);
}
