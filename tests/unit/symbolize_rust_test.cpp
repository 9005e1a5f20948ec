// SPDX-License-Identifier: Apache-2.0
#include "symbolize/demangle.h"
#include "symbolize_support.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::symbolize_test;

TEST_SUITE_BEGIN("builds");  // needs compilers: takes longer than a unit test may

TEST_CASE("a Rust program of either mangling has the frames of llvm-addr2line and readable names") {
  for (const std::string mangling : {"legacy", "v0"}) {
    CAPTURE(mangling);
    TemporaryFolder folder;
    folder.write("main.rs", R"(
mod shapes {
    pub struct Sq(pub u64);
    impl Sq { #[inline(never)] pub fn area(&self) -> u64 { super::twice(self.0) * self.0 } }
}
#[inline(always)] fn twice(x: u64) -> u64 { x.wrapping_mul(2) ^ 3 }
#[inline(never)] pub fn work<T: Into<u64> + Copy>(items: &[T]) -> u64 {
    items.iter().map(|i| shapes::Sq((*i).into()).area()).sum()
}
fn main() { println!("{}", work(&[1u32, 2, 3]) + work(&[1u64])); }
)");
    const std::string flag = mangling == "v0" ? "-C symbol-mangling-version=v0" : "";
    if (!run("cd " + folder.path() + " && rustc -g -O " + flag + " main.rs -o program")) {
      MESSAGE("skipped: no rustc");
      continue;
    }
    const std::string rows = output_of("nm " + (folder / "program") + " | grep -E 'area|4work'");
    std::vector<std::uint64_t> addresses;
    for (std::size_t at = 0; at < rows.size(); at = rows.find('\n', at) + 1) {
      const std::uint64_t start = strtoull(rows.c_str() + at, nullptr, 16);
      for (std::uint64_t i = 0; start != 0 && i < 40; ++i) addresses.push_back(start + i);
    }
    REQUIRE_FALSE(addresses.empty());
    const auto ours = name_addresses(folder / "program", addresses);
    const auto theirs = name_by_tool("llvm-addr2line-14", folder / "program", addresses);
    std::size_t wrong = 0;
    std::size_t compared = 0;
    bool area = false;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (ours[i].empty() || theirs[i].empty()) continue;
      ++compared;
      bool same = ours[i].size() == theirs[i].size();
      for (std::size_t f = 0; same && f < ours[i].size(); ++f) {
        same = theirs[i][f].line == 0 ||
               (ours[i][f].line == theirs[i][f].line && ours[i][f].name == theirs[i][f].name);
      }
      if (!same) ++wrong;
      const std::string shown =
          symbolize::demangle(ours[i].back().name, symbolize::DemangleStyle::full);
      area = area || shown == "<main::shapes::Sq>::area" || shown == "main::shapes::Sq::area";
      CHECK(shown.find("17h") == std::string::npos);
    }
    CHECK(wrong == 0);
    CHECK(compared > 40);
    CHECK(area);
  }
}

TEST_SUITE_END();
