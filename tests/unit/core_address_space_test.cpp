// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/address_space.h>

#include <doctest/doctest.h>

using namespace hprof;

TEST_CASE("mapping over a range cuts it and keeps the offsets of what is left") {
  AddressSpace space;
  space.map({0x1000, 0x5000, 0, nullptr});
  space.map({0x2000, 0x3000, 0x900, nullptr});
  REQUIRE(space.ranges().size() == 3);
  CHECK(space.find(0x1fff)->file_offset == 0);
  CHECK(space.find(0x2000)->file_offset == 0x900);
  CHECK(space.find(0x3000)->file_offset == 0x2000);
  space.unmap(0x1800, 0x4800);
  CHECK(space.find(0x2000) == nullptr);
  CHECK(space.find(0x17ff) != nullptr);
  CHECK(space.find(0x4800)->file_offset == 0x3800);
  CHECK(space.find(0x5000) == nullptr);
}
