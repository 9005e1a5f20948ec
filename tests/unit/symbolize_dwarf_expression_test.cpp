// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/dwarf_expression.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)

namespace {

std::optional<std::uint64_t> value(const std::vector<std::uint8_t>& code,
                                   std::optional<std::uint64_t> initial = std::nullopt) {
  static const std::vector<std::uint64_t> words{0x1122334455667788, 42};
  StackMemory memory;
  memory.reset({0x7000, std::as_bytes(std::span{words})}, nullptr);
  UnwindState state;
  state.set(7, 0x7000);
  state.set(16, 0x401236);
  state.forget(3);
  return evaluate_expression(std::as_bytes(std::span{code}), state, memory, 0x100000, initial);
}

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

}  // namespace

TEST_CASE("constants of every size and sign") {
  CHECK(value({0x08, 0xff}) == 255);
  CHECK(value({0x09, 0xff}) == kMinusOne);
  CHECK(value({0x0a, 0xff, 0xff}) == 65535);
  CHECK(value({0x0b, 0xff, 0xff}) == kMinusOne);
  CHECK(value({0x0c, 1, 0, 0, 0x80}) == 0x80000001);
  CHECK(value({0x0d, 0xff, 0xff, 0xff, 0xff}) == kMinusOne);
  CHECK(value({0x0e, 1, 2, 3, 4, 5, 6, 7, 8}) == 0x0807060504030201);
  CHECK(value({0x10, 0x80, 1}) == 128);
  CHECK(value({0x11, 0x7f}) == kMinusOne);
  CHECK(value({0x03, 0x10, 0, 0, 0, 0, 0, 0, 0}) == 0x100010);
  CHECK(value({0x4f}) == 31);
}

TEST_CASE("registers, memory and the initial value") {
  CHECK(value({0x77, 8}) == 0x7008);
  CHECK(value({0x92, 7, 0x78}) == 0x6ff8);
  CHECK(value({0x77, 8, 0x06}) == 42);
  CHECK(value({0x77, 0, 0x94, 1}) == 0x88);
  CHECK(value({0x77, 0, 0x94, 2}) == 0x7788);
  CHECK(value({0x77, 0, 0x94, 4}) == 0x55667788);
  CHECK(value({0x23, 5}, 100) == 105);
  CHECK_FALSE(value({0x73, 0}).has_value());  // rbx is not known
  CHECK_FALSE(value({0x92, 40, 0}).has_value());
  CHECK_FALSE(value({0x77, 16, 0x06}).has_value());
  CHECK_FALSE(value({0x77, 0, 0x94, 3}).has_value());
}

TEST_CASE("stack operations, arithmetic and comparisons") {
  CHECK(value({0x32, 0x33, 0x14, 0x22}) == 5);              // 2 3 over plus
  CHECK(value({0x32, 0x33, 0x16, 0x1c}) == 1);              // swap minus: 3 - 2
  CHECK(value({0x31, 0x32, 0x33, 0x17, 0x13}) == 1);        // rot: 3 1 2, drop
  CHECK(value({0x35, 0x36, 0x15, 1}) == 5);                 // pick 1
  CHECK(value({0x35, 0x12, 0x1e}) == 25);                   // dup mul
  CHECK(value({0x38, 0x1f, 0x19}) == 8);                    // neg abs
  CHECK(value({0x30, 0x20}) == kMinusOne);                  // not
  CHECK(value({0x37, 0x1f, 0x32, 0x1b}) == kMinusOne - 2);  // -7 / 2
  CHECK(value({0x37, 0x34, 0x1d}) == 3);                    // 7 % 4
  CHECK(value({0x31, 0x34, 0x24, 0x31, 0x21}) == 17);       // 1 << 4 | 1
  CHECK(value({0x38, 0x1f, 0x31, 0x26}) == kMinusOne - 3);  // -8 >> 1, arithmetic
  CHECK(value({0x38, 0x31, 0x25}) == 4);
  CHECK(value({0x31, 0x08, 64, 0x24}) == 0);
  CHECK(value({0x3f, 0x33, 0x1a, 0x36, 0x27}) == 5);  // 15 & 3 ^ 6
  CHECK(value({0x31, 0x1f, 0x30, 0x2d}) == 1);        // -1 < 0
  CHECK(value({0x32, 0x32, 0x2a}) == 1);
  CHECK(value({0x32, 0x33, 0x2b}) == 0);
  CHECK(value({0x32, 0x33, 0x2c}) == 1);
  CHECK(value({0x32, 0x33, 0x29}) == 0);
  CHECK(value({0x32, 0x33, 0x2e}) == 1);
}

TEST_CASE("the PLT's expression yields 8 or 16 by the pc") {
  // DW_OP_breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus: what linkers write for .plt
  const std::vector<std::uint8_t> plt{0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
  CHECK(value(plt) == 0x7008);  // pc ends in 6, before the push
}

TEST_CASE("branches are followed and loops end") {
  CHECK(value({0x31, 0x31, 0x28, 1, 0, 0x35, 0x34, 0x22}) == 5);  // bra over lit5
  CHECK(value({0x2f, 1, 0, 0x35, 0x34}) == 4);                    // skip over lit5
  CHECK_FALSE(value({0x31, 0x2f, 0xfd, 0xff}).has_value());       // skip to itself
  CHECK_FALSE(value({0x31, 0x2f, 0x00, 0x70}).has_value());
}

TEST_CASE("expressions that make no sense have no value") {
  CHECK_FALSE(value({}).has_value());
  CHECK_FALSE(value({0x22}).has_value());
  CHECK_FALSE(value({0x31, 0x30, 0x1b}).has_value());  // division by zero
  CHECK_FALSE(value({0x31, 0x30, 0x1d}).has_value());
  CHECK_FALSE(value({0x0c, 1}).has_value());
  CHECK_FALSE(value({0x18}).has_value());
  CHECK_FALSE(value({0xe0}).has_value());
  CHECK_FALSE(value(std::vector<std::uint8_t>(65, 0x31)).has_value());
  // The one signed quotient that does not fit.
  CHECK(value({0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x11, 0x7f, 0x1b}) == 0x8000000000000000);
}
