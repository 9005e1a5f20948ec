// SPDX-License-Identifier: Apache-2.0
#include "symbolize/go/go_tables.h"
#include "symbolize/go/pclntab.h"

#include <hprof/core/base/mapped_file.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)

namespace {

/// Writes the bytes of a pclntab as Go 1.20 lays it out: two functions at text+0x10 and +0x40.
class TableWriter {
 public:
  template <typename T>
  TableWriter& put(T value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof(T));
    return *this;
  }
  TableWriter& text(std::string_view value) {
    for (char c : value) put(c);
    return *this;
  }
  void pad_to(std::size_t size) { bytes.resize(size); }
  std::vector<std::byte> bytes;
};

std::vector<std::byte> small_table() {
  TableWriter out;
  out.put<std::uint32_t>(0xfffffff1)
      .put<std::uint16_t>(0)
      .put<std::uint8_t>(1)
      .put<std::uint8_t>(8);
  out.put<std::uint64_t>(2).put<std::uint64_t>(1).put<std::uint64_t>(0x400000);
  out.put<std::uint64_t>(0x60).put<std::uint64_t>(0x80).put<std::uint64_t>(0x90);
  out.put<std::uint64_t>(0xa0).put<std::uint64_t>(0xc0);
  out.pad_to(0x60);
  out.text(std::string_view{"main.a\0main.b\0", 14});
  out.pad_to(0x80);
  out.put<std::uint32_t>(0);
  out.pad_to(0x90);
  out.text(std::string_view{"a.go\0", 5});
  out.pad_to(0xa0);
  // pctab: at 1: value 0 for 4 bytes, then 0x18 for 12, end.
  out.put<std::uint8_t>(0);
  out.put<std::uint8_t>(2)
      .put<std::uint8_t>(4)
      .put<std::uint8_t>(0x30)
      .put<std::uint8_t>(12)
      .put<std::uint8_t>(0);
  out.pad_to(0xc0);
  const std::uint32_t record_a = 5 * 4;
  const std::uint32_t record_b = record_a + 44;
  out.put<std::uint32_t>(0x10)
      .put(record_a)
      .put<std::uint32_t>(0x40)
      .put(record_b)
      .put<std::uint32_t>(0x50);
  for (const std::uint32_t index : {0U, 1U}) {
    out.put<std::uint32_t>(index == 0 ? 0x10 : 0x40);
    out.put<std::int32_t>(index == 0 ? 0 : 7).put<std::uint32_t>(0).put<std::uint32_t>(0);
    out.put<std::uint32_t>(1).put<std::uint32_t>(0).put<std::uint32_t>(0).put<std::uint32_t>(0);
    out.put<std::uint32_t>(0).put<std::int32_t>(7).put<std::uint8_t>(0);
    out.put<std::uint8_t>(index == 0 ? 0 : 1).put<std::uint8_t>(0).put<std::uint8_t>(0);
  }
  return out.bytes;
}

}  // namespace

TEST_CASE("a hand-made pclntab yields functions, names, flags and stack sizes") {
  const auto bytes = small_table();
  auto table = Pclntab::parse(bytes, 0);
  REQUIRE(table.has_value());
  CHECK(table->function_count() == 2);
  CHECK(table->text_start() == 0x400000);
  CHECK(table->text_end() == 0x400050);
  CHECK_FALSE(table->find(0x40000f).has_value());
  CHECK_FALSE(table->find(0x400050).has_value());
  auto a = table->find(0x40003f);
  REQUIRE(a.has_value());
  CHECK(table->name(*a) == "main.a");
  CHECK(table->file(*a, 0) == "a.go");
  CHECK(a->start_line == 7);
  CHECK(a->flags == 0);
  CHECK(table->pc_value(*a, a->pcsp, 0x400013)->value == 0);
  CHECK(table->pc_value(*a, a->pcsp, 0x400014)->value == 0x18);
  CHECK_FALSE(table->pc_value(*a, a->pcsp, 0x400020).has_value());
  auto b = table->find(0x400040);
  REQUIRE(b.has_value());
  CHECK(table->name(*b) == "main.b");
  CHECK(b->flags == GoFunction::kTopFrame);
}

TEST_CASE("a text start from outside wins over the header's") {
  const auto bytes = small_table();
  auto table = Pclntab::parse(bytes, 0x10000);
  REQUIRE(table.has_value());
  CHECK(table->find(0x10010)->entry == 0x10010);
}

TEST_CASE("a pclntab cut anywhere is refused or answers nothing, never reads outside") {
  const auto bytes = small_table();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
    auto table = Pclntab::parse(cut, 0);
    if (!table) continue;
    if (auto found = table->find(0x400041)) CHECK(table->name(*found) == "main.b");
  }
}

TEST_CASE("a function count beyond the bytes is an error that names both") {
  auto bytes = small_table();
  bytes[8] = std::byte{0xff};
  bytes[9] = std::byte{0xff};
  auto table = Pclntab::parse(bytes, 0);
  REQUIRE_FALSE(table.has_value());
  CHECK(table.error().message.find("65535 functions") != std::string::npos);
}

TEST_CASE("every function of a Go program has the name and address that go tool nm prints") {
  // HPROF_GO_PROGRAM is a path to an unstripped Go program; any will do.
  const char* path = ::getenv("HPROF_GO_PROGRAM");
  if (path == nullptr || ::access(path, R_OK) != 0) {
    MESSAGE("skipped: HPROF_GO_PROGRAM names no Go program");
    return;
  }
  auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  auto image = ElfImage::parse(file->bytes());
  REQUIRE(image.has_value());
  auto tables = find_go_tables(*image);
  REQUIRE_MESSAGE(tables.has_value(), tables.error().message);
  FILE* nm = ::popen(fmt::format("nm {} | grep -i ' t '", path).c_str(), "r");
  REQUIRE(nm != nullptr);
  unsigned long long address = 0;
  char type = 0;
  char name[4096];
  std::map<std::uint64_t, std::vector<std::string>> symbols;
  while (::fscanf(nm, "%llx %c %4095[^\n]\n", &address, &type, name) == 3)
    symbols[address].emplace_back(name);
  ::pclose(nm);
  std::size_t agreed = 0;
  std::size_t differ = 0;
  for (std::uint32_t i = 0; i < tables->table.function_count(); ++i) {
    auto function = tables->table.function(i);
    REQUIRE(function.has_value());
    const auto found = symbols.find(function->entry);
    if (found == symbols.end()) {
      ++differ;
      continue;
    }
    const std::string_view own = tables->table.name(*function);
    bool same = false;
    for (const std::string& one : found->second) {
      same = same || one == own || (one.starts_with(own) && one.ends_with(".abi0"));
    }
    ++(same ? agreed : differ);
  }
  CAPTURE(differ);
  CHECK(agreed > tables->table.function_count() * 97ULL / 100);
}
