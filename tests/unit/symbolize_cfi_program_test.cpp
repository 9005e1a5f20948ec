// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cfi_writer.h"

#include <doctest/doctest.h>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)
using hprof::testing::ByteList;
using hprof::testing::CfiWriter;
using hprof::testing::Compiled;
using Kind = RegisterRule::Kind;

TEST_CASE("a function without instructions has the row of its CIE") {
  const Compiled c{{}};
  REQUIRE(c.rows.size() == 1);
  CHECK(c.rows[0].begin == 0x5000);
  CHECK(c.end == 0x5100);
  CHECK(c.rows[0].cfa.reg == 7);
  CHECK(c.rows[0].cfa.offset == 8);
  CHECK(c.rows[0].rules[16].kind == Kind::offset);
  CHECK(c.rows[0].rules[16].value == -8);
}

TEST_CASE("every advance instruction starts a row at the right address") {
  const Compiled c{{0x41, 0x0e, 16,   0x02, 0x0f, 0x0e, 24,   0x03, 0x10, 0x00, 0x0e,
                    32,   0x04, 0x20, 0,    0,    0,    0x0e, 40,   0x1d, 0x30, 0,
                    0,    0,    0,    0,    0,    0,    0x0e, 48,   0x01, 0xf0, 0x50,
                    0,    0,    0,    0,    0,    0,    0x0e, 56}};
  const std::vector<std::uint64_t> begins{0x5000, 0x5001, 0x5010, 0x5020, 0x5040, 0x5070, 0x50f0};
  REQUIRE(c.rows.size() == begins.size());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    CHECK(c.rows[i].begin == begins[i]);
    CHECK(c.rows[i].cfa.offset == static_cast<std::int64_t>(8 + 8 * i));
  }
}

TEST_CASE("the CFA follows each of its instructions") {
  const Compiled c{{0x0c, 6, 16,   0x41, 0x0d, 7,    0x41, 0x0e, 0x80, 1,    0x41,
                    0x12, 6, 0x7e, 0x41, 0x13, 0x7d, 0x41, 0x0f, 2,    0x77, 0x10}};
  REQUIRE(c.rows.size() == 6);
  CHECK((c.rows[0].cfa.reg == 6 && c.rows[0].cfa.offset == 16));
  CHECK((c.rows[1].cfa.reg == 7 && c.rows[1].cfa.offset == 16));
  CHECK(c.rows[2].cfa.offset == 128);
  CHECK((c.rows[3].cfa.reg == 6 && c.rows[3].cfa.offset == 16));
  CHECK(c.rows[4].cfa.offset == 24);
  CHECK((c.rows[5].cfa.by_expression && c.rows[5].cfa.expression.size() == 2));
}

TEST_CASE("each register rule is what its instruction says") {
  const Compiled c{{0x83, 2,  0x05, 12,   3, 0x11, 13,   0x04, 0x14, 14, 5,
                    0x15, 15, 0x7a, 0x07, 0, 0x08, 1,    0x09, 2,    6,  0x10,
                    4,    1,  0x9c, 0x16, 5, 2,    0x70, 0,    0x2f, 6,  7}};
  REQUIRE(c.rows.size() == 1);
  const auto& rules = c.rows[0].rules;
  CHECK((rules[3].kind == Kind::offset && rules[3].value == -16));
  CHECK((rules[12].kind == Kind::offset && rules[12].value == -24));
  CHECK((rules[13].kind == Kind::offset && rules[13].value == -32));
  CHECK((rules[14].kind == Kind::val_offset && rules[14].value == -40));
  CHECK((rules[15].kind == Kind::val_offset && rules[15].value == 48));
  CHECK(rules[0].kind == Kind::undefined);
  CHECK(rules[1].kind == Kind::same);
  CHECK((rules[2].kind == Kind::reg && rules[2].value == 6));
  CHECK((rules[4].kind == Kind::expression && rules[4].expression.size() == 1));
  CHECK((rules[5].kind == Kind::val_expression && rules[5].expression.size() == 2));
  CHECK((rules[6].kind == Kind::offset && rules[6].value == 56));
}

TEST_CASE("restore goes back to the CIE's rule, remembered states nest") {
  const Compiled c{
      {0x90, 4,    0x41, 0xd0, 0x41, 0x90, 5,    0x06, 16,   0x41,  // restore, restore_extended
       0x0a, 0x0e, 32,   0x83, 2,    0x0a, 0x0e, 48,   0x41, 0x0b, 0x41, 0x0b, 0x41, 0x00}};
  REQUIRE(c.rows.size() == 7);
  CHECK(c.rows[0].rules[16].value == -32);
  CHECK(c.rows[1].rules[16].value == -8);
  CHECK(c.rows[2].rules[16].value == -8);
  CHECK(c.rows[3].cfa.offset == 48);
  CHECK(c.rows[4].cfa.offset == 32);
  CHECK(c.rows[4].rules[3].kind == Kind::offset);
  CHECK(c.rows[5].cfa.offset == 8);
  CHECK(c.rows[5].rules[3].kind == Kind::same);
}

TEST_CASE("an instruction that makes no sense ends the table, rows before it stay") {
  for (const ByteList& bad :
       {ByteList{0x3f}, ByteList{0x0b}, ByteList{0x0e}, ByteList{0x0f, 200}, ByteList{0x04, 1, 2},
        ByteList{0x01, 0, 0x10, 0, 0, 0, 0, 0, 0}, ByteList{0x0f, 1, 0x30, 0x0e, 8}}) {
    ByteList program{0x41, 0x0e, 16, 0x44};
    program.insert(program.end(), bad.begin(), bad.end());
    const Compiled c{program};
    REQUIRE(c.rows.size() == 2);
    CHECK(c.rows[1].begin == 0x5001);
    CHECK(c.end == 0x5005);
  }
}

TEST_CASE("remembered states and rows are bounded") {
  const Compiled deep{ByteList(CfiProgram::kMaxRemembered + 1, 0x0a)};
  CHECK(deep.rows.empty());
  CHECK(deep.end == 0x5000);
  const Compiled many{ByteList(300, 0x41)};
  CHECK(many.rows.size() == 0x100);
  CHECK(many.end == 0x5100);
}

TEST_CASE("an instruction beyond the columns that are kept changes nothing") {
  const Compiled c{{0x05, 33, 1, 0x05, 0xff, 0x7f, 1, 0x06, 60, 0x2e, 16}};
  REQUIRE(c.rows.size() == 1);
  CHECK(c.rows[0].cfa.offset == 8);
}

TEST_CASE("augmentations are read, unknown ones skipped by their size") {
  CfiWriter writer;
  const auto full = writer.cie("zPLR", {0x00, 1, 2, 3, 4, 5, 6, 7, 8, 0x1b, 0x1b}, {});
  const auto signal = writer.cie("zRS", {0x1b}, {});
  const auto unknown = writer.cie("zRQ", {0x1b, 9, 9, 9}, {0x0e, 8});
  const auto plain = writer.cie("", {}, {});
  const auto old = writer.cie("Q", {}, {});
  const auto section = writer.section();
  CHECK(read_cie(section, full)->pointer_encoding == 0x1b);
  CHECK(read_cie(section, signal)->signal_frame);
  CHECK(read_cie(section, unknown)->instructions.size() == 2);
  CHECK_FALSE(read_cie(section, plain)->has_augmentation_data);
  CHECK_FALSE(read_cie(section, old).has_value());
}

TEST_CASE("pointers of every encoding come out as addresses") {
  const std::vector<std::uint8_t> raw{0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0};
  const Bytes bytes = std::as_bytes(std::span{raw});
  const PointerBases bases{.section = 0x1000, .text = 0x2000, .data = 0x3000, .function = 0x4000};
  const auto read = [&](std::uint8_t encoding) {
    ByteReader reader{bytes};
    return read_encoded_pointer(reader, encoding, bases);
  };
  CHECK(read(0x00) == 0x7ffffffffffffff0);
  CHECK(read(0x02) == 0xfff0);
  CHECK(read(0x03) == 0xfffffff0);
  CHECK(read(0x0a) == ~std::uint64_t{0} - 15);
  CHECK(read(0x0b) == ~std::uint64_t{0} - 15);
  CHECK(read(0x1b) == 0x1000 - 16);
  CHECK(read(0x2b) == 0x2000 - 16);
  CHECK(read(0x3b) == 0x3000 - 16);
  CHECK(read(0x4b) == 0x4000 - 16);
  CHECK(read(0x50) == 0x7ffffffffffffff0);
  CHECK_FALSE(read(0xff).has_value());
  CHECK_FALSE(read(0x0f).has_value());
  CHECK_FALSE(read(0x63).has_value());
  ByteReader empty{Bytes{}};
  CHECK_FALSE(read_encoded_pointer(empty, 0x1b, bases).has_value());
}
