// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel/kallsyms.h"
#include "symbolize_support.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::symbolize;
using namespace hprof::symbolize_test;

namespace {

constexpr std::string_view kText =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T startup_64\n"
    "ffffffff81000100 t do_one\n"
    "ffffffff81000200 D data_here\n"
    "ffffffff81000300 T _etext\n"
    "ffffffffc0000000 t mod_init\t[ext4]\n"
    "ffffffffc0000040 t mod_last\t[ext4]\n"
    "ffffffffc0900000 t other\t[xfs]\n"
    "broken line\n";

}  // namespace

TEST_CASE("kernel functions reach to the next symbol, and never across the gap behind a module") {
  const Kallsyms symbols = Kallsyms::parse(std::string(kText));
  CHECK(symbols.find(0xffffffff81000010) == "_stext");
  CHECK(symbols.find(0xffffffff810001ff) == "do_one");
  CHECK(symbols.find(0xffffffff81000210).empty());
  CHECK(symbols.find(0xffffffffc0000050) == "mod_last");
  CHECK(symbols.find(0xffffffffc0500000).empty());
  CHECK(symbols.find(0xffffffffc0900004) == "other");
  CHECK(symbols.find(0x1000).empty());
}

TEST_CASE("addresses that the kernel hides leave its frames unnamed, and a note says why") {
  CHECK(Kallsyms::parse("0000000000000000 T _stext\n0000000000000000 t do_one\n").is_hidden());
  TemporaryFolder proc;
  proc.write("kallsyms", "0000000000000000 T _stext\n");
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::kernel;
  module->path = "[kernel.kallsyms]";
  RawProfile raw;
  raw.modules = {nullptr, module};
  const MappingId mapping = raw.profile.add_mapping({.start = 0, .limit = ~std::uint64_t{0}});
  const LocationId location = raw.profile.intern_location(mapping, 0xffffffff81000110);
  auto hidden = make_symbolizer({.cache = false, .proc_root = proc.path()});
  hidden->symbolize(raw, {});
  CHECK(raw.profile.lines(location).empty());
  REQUIRE(hidden->coverage_notes().size() == 1);
  CHECK(hidden->coverage_notes().front().find("kptr_restrict") != std::string::npos);

  proc.write("kallsyms", kText);
  make_symbolizer({.cache = false, .proc_root = proc.path()})->symbolize(raw, {});
  CHECK(frame_name(raw.profile, location, 0) == "do_one");
}
