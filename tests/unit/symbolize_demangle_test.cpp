// SPDX-License-Identifier: Apache-2.0
#include "symbolize/demangle.h"

#include <doctest/doctest.h>

#include <chrono>

using namespace hprof::symbolize;

TEST_CASE("C++ names are demangled as c++filt prints them, or without their parameters") {
  CHECK(demangle("_ZNSt6vectorIiSaIiEE9push_backERKi", DemangleStyle::full) ==
        "std::vector<int, std::allocator<int> >::push_back(int const&)");
  CHECK(demangle("_ZN2ns4Base1fEi", DemangleStyle::full) == "ns::Base::f(int)");
  CHECK(demangle("_ZN2ns4Base1fEi", DemangleStyle::names) == "ns::Base::f");
  CHECK(demangle("_ZN2ns4Base1fEi", DemangleStyle::none) == "_ZN2ns4Base1fEi");
  CHECK(demangle("_ZN2ns12_GLOBAL__N_16hiddenEi.cold", DemangleStyle::full) ==
        "ns::(anonymous namespace)::hidden(int) [clone .cold]");
  CHECK(demangle("_Znwm@plt", DemangleStyle::full) == "operator new(unsigned long)@plt");
}

TEST_CASE("Rust names are demangled in both manglings, legacy ones only with a real hash") {
  CHECK(demangle("_RNvCs1234_7mycrate3foo", DemangleStyle::full) == "mycrate::foo");
  CHECK(demangle("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", DemangleStyle::full) ==
        "core::fmt::Write::write_fmt");
  // A C++ name that merely looks like it: 16 equal digits are no hash.
  CHECK(demangle("_ZN4core3fmt17h0000000000000000E", DemangleStyle::full) ==
        "core::fmt::h0000000000000000");
  // (anonymous namespace) must not be taken for Rust.
  CHECK(demangle("_ZN12_GLOBAL__N_13runEv", DemangleStyle::full) == "(anonymous namespace)::run()");
}

TEST_CASE("what is no mangled name stays as it is") {
  for (const char* name : {"", "main", "_", "_Z", "_ZN", "_R", "qsort_r", "[unknown]", "_Zzzz"}) {
    CHECK(demangle(name, DemangleStyle::full) == name);
  }
}

TEST_CASE("names that would explode or nest without end come back quickly, as they are") {
  // Each level doubles the output by a substitution.
  std::string doubling = "_Z1fSt4pairIiiE";
  std::string nested = "_Z1f";
  for (int i = 0; i < 60; ++i)
    doubling += "St4pairIS" + std::string(i == 0 ? "" : std::to_string(i % 10)) + "_S_E";
  for (int i = 0; i < 100000; ++i) nested += "P";
  const auto start = std::chrono::steady_clock::now();
  CHECK(demangle(doubling, DemangleStyle::full).size() < 100000);
  CHECK(demangle(nested + "i", DemangleStyle::full) == nested + "i");
  std::string pointers = "_Z1f" + std::string(16000, 'P') + "i";
  CHECK(demangle(pointers, DemangleStyle::full).size() < 100000);
  CHECK(demangle("_RNvXs_" + std::string(10000, 'I'), DemangleStyle::full).size() < 100000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{10});
}
