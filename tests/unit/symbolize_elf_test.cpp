// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf/elf_image.h"
#include "symbolize/elf/symbol_index.h"
#include "symbolize_support.h"

#include <hprof/core/base/mapped_file.h>

#include <doctest/doctest.h>

#include <stdio.h>
#include <unistd.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <sstream>

using namespace hprof;
using namespace hprof::symbolize;
using namespace hprof::symbolize_test;

namespace {

constexpr const char* kLibc = "/lib/x86_64-linux-gnu/libc.so.6";

}  // namespace

TEST_CASE("every function of nm is found at its start and at its last byte") {
  const std::vector<std::string> paths{kLibc, "/proc/self/exe"};
  for (const std::string& path : paths) {
    const auto file = MappedFile::open(path);
    if (!file) {
      MESSAGE("skipped: no " << path);
      continue;
    }
    const auto image = ElfImage::parse(file->bytes());
    REQUIRE(image);
    const SymbolIndex index = SymbolIndex::build(*image, nullptr);
    const std::string flags = path == kLibc ? "-D " : "";
    const std::string real = path == kLibc ? path : "/proc/" + std::to_string(getpid()) + "/exe";
    std::istringstream rows(output_of("nm --defined-only -S " + flags + real));
    std::map<std::uint64_t, std::set<std::string>> names;  // aliases of each start
    std::map<std::uint64_t, std::uint64_t> sizes;
    for (std::string row; std::getline(rows, row);) {
      std::uint64_t start = 0;
      std::uint64_t size = 0;
      char type = 0;
      std::array<char, 4096> name{};
      if (sscanf(row.c_str(), "%lx %lx %c %4000s", &start, &size, &type, name.data()) != 4)
        continue;  // NOLINT
      if (std::string_view("tTwWi").find(type) == std::string_view::npos || size == 0) continue;
      const std::string text(name.data());
      names[start].insert(text.substr(0, text.find('@')));
      sizes[start] = size;
    }
    std::size_t wrong = 0;
    for (const auto& [start, aliases] : names) {
      const CodeSymbol* first = index.find(start);
      const CodeSymbol* last = index.find(start + sizes[start] - 1);
      const bool right = first != nullptr && first->start == start && last != nullptr &&
                         aliases.contains(std::string(first->name));
      if (!right) ++wrong;
    }
    const std::size_t checked = names.size();
    if (checked == 0) MESSAGE("skipped: nm tells nothing about " << path);
    CHECK(wrong == 0);
  }
}

TEST_CASE("bytes that are no ELF file are refused") {
  CHECK_FALSE(ElfImage::parse({}).has_value());
  CHECK_FALSE(
      ElfImage::parse(as_bytes("#!/bin/sh\necho hello, world, this is text\n")).has_value());
}

TEST_CASE("the build-id is that of readelf") {
  const auto file = MappedFile::open(kLibc);
  if (!file) {
    MESSAGE("skipped: no libc there");
    return;
  }
  const auto image = ElfImage::parse(file->bytes());
  REQUIRE(image);
  const std::string notes = output_of(std::string("readelf -n ") + kLibc);
  const std::size_t at = notes.find("Build ID: ");
  if (at == std::string::npos) return;
  CHECK(notes.substr(at + 10, image->build_id().size()) == image->build_id());
  CHECK(image->build_id().size() == 40);
}
