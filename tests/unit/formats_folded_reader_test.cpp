// SPDX-License-Identifier: Apache-2.0
#include "formats/folded_collector.h"
#include "formats/folded_reader.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

using namespace hprof;
using namespace hprof::formats;

namespace {

Result<Profile> read(std::string_view text, ReadOptions options = {}, std::size_t chunk = 7) {
  MemorySource source{as_bytes(text), chunk};
  return read_folded(source, options);
}

std::string path(const Profile& p, std::uint32_t row) {
  std::vector<LocationId> leaf_first;
  p.stack_leaf_first(p.sample_stack(row), leaf_first);
  std::string out;
  for (std::size_t i = leaf_first.size(); i > 0; --i) {
    if (!out.empty()) out += ';';
    out += frame_name(p, leaf_first[i - 1], 0);
  }
  return out;
}

std::map<std::string, std::int64_t> totals(const Profile& p) {
  std::map<std::string, std::int64_t> out;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) out[path(p, row)] += p.value(0, row);
  return out;
}

std::string sniffed(std::string_view text) {
  switch (sniff_folded({as_bytes(text), true})) {
    case Sniff::no: return "no";
    case Sniff::possible: return "possible";
    case Sniff::likely: return "likely";
    case Sniff::magic: return "magic";
  }
  return {};
}

}  // namespace

TEST_CASE("folded: equal stacks add up and rows keep the order of the text") {
  const auto p = read("main;b 2\nmain;a 3\nmain;b 4\n");
  REQUIRE(p);
  CHECK(p->sample_count() == 2);
  CHECK(path(*p, 0) == "main;b");
  CHECK(p->value(0, 0) == 6);
  CHECK(p->total(0) == 9);
  CHECK(p->string(p->sample_types()[0].type) == "samples");
  CHECK(p->string(p->sample_types()[0].unit) == "count");
}

TEST_CASE("folded: a name that ends in digits keeps them (py-spy PR234)") {
  const auto p = read("thread 1234 10\nthread 1234;f 2\n");
  REQUIRE(p);
  CHECK(totals(*p) == std::map<std::string, std::int64_t>{{"thread 1234", 10}, {"thread 1234;f", 2}});
}

TEST_CASE("folded: a file all of whose lines end in two numbers is read plainly, with a hint") {
  Notes notes;
  const auto p = read("a;b 1 2\na;c 3 4\n", {.notes = &notes});
  REQUIRE(p);
  CHECK(totals(*p) == std::map<std::string, std::int64_t>{{"a;b 1", 2}, {"a;c 3", 4}});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("diff-folded") != std::string::npos);
}

TEST_CASE("diff-folded: the first count is the base, negative and labelled as --diff-base makes it") {
  const auto p = read("a;b 1 2\na;c 3 0\n", {.diff = true});
  REQUIRE(p);
  REQUIRE(p->sample_count() == 3);
  CHECK(p->value(0, 0) == -1);
  REQUIRE(p->labels(p->sample_labels(0)).size() == 1);
  CHECK(p->string(p->labels(p->sample_labels(0))[0].key) == "pprof::base");
  CHECK(p->value(0, 1) == 2);
  CHECK(p->labels(p->sample_labels(1)).empty());
  CHECK(p->value(0, 2) == -3);
}

TEST_CASE("folded: fractions are kept in a finer unit and negatives stay (speedscope #157)") {
  Notes notes;
  const auto p = read("a;b 1.5  \na;c -103.7652\na 2\na;d 7.500\n\n", {.notes = &notes});
  REQUIRE(p);
  CHECK(p->string(p->sample_types()[0].unit) == "count/10000");
  CHECK(totals(*p) == std::map<std::string, std::int64_t>{
                          {"a;b", 15000}, {"a;c", -1037652}, {"a", 20000}, {"a;d", 75000}});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("1/10000") != std::string::npos);
}

TEST_CASE("folded: counts are digits with an optional fraction, nothing else") {
  CHECK(parse_folded_count("12")->digits == 12);
  CHECK(parse_folded_count("1.50")->scale == 1);
  CHECK(parse_folded_count("1.123456789")->digits == 1123456);
  CHECK(parse_folded_count("9223372036854775807.5")->scale == 0);
  for (const char* text : {"", "-", "1e3", "0x10", "12V.43", "1.2.3", "+1", ".5", "99999999999999999999"}) {
    CHECK_MESSAGE(!parse_folded_count(text), text);
  }
}

TEST_CASE("folded: CRLF is LF and no name keeps a carriage return (speedscope #152)") {
  const auto p = read("a;b 1\r\na;c 2\r\n");
  REQUIRE(p);
  CHECK(totals(*p) == std::map<std::string, std::int64_t>{{"a;b", 1}, {"a;c", 2}});
}

TEST_CASE("folded: UTF-16 and UTF-8 with a byte order mark are decoded (speedscope PR314)") {
  const std::string plain = "a;b\xc3\xa9\xf0\x9f\x94\xa5 1\na;c 2\n";
  const std::u16string wide = u"a;b\u00e9\U0001F525 1\na;c 2\n";
  std::string little = "\xff\xfe";
  std::string big = "\xfe\xff";
  for (const char16_t unit : wide) {
    const auto low = static_cast<char>(unit & 0xff);
    const auto high = static_cast<char>(unit >> 8);
    little += {low, high};
    big += {high, low};
  }
  const auto expected = totals(*read(plain));
  CHECK(expected.contains("a;b\xc3\xa9\xf0\x9f\x94\xa5"));
  for (const std::string& text : {little, big, "\xef\xbb\xbf" + plain}) {
    for (const std::size_t chunk : {1U, 2U, 3U, 1000U}) {
      const auto p = read(text, {}, chunk);
      REQUIRE(p);
      CHECK(totals(*p) == expected);
    }
    CHECK(sniffed(text) == "likely");
  }
}

TEST_CASE("folded: headers become comments, a bad line is counted and named (speedscope PR336)") {
  Notes notes;
  const auto p = read("# mode: wall\n\na;b 1\nTHIS IS BAD\n#private;f 2\n", {.notes = &notes});
  REQUIRE(p);
  CHECK(p->total(0) == 3);
  CHECK(p->counters.skipped == 1);
  REQUIRE(p->header.comments.size() == 1);
  CHECK(p->string(p->header.comments[0]) == "mode: wall");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("line 4") != std::string::npos);
}

TEST_CASE("folded: text without a stack is malformed and says where") {
  for (const char* text : {"", "\n\n", "# only: comments\n"}) {
    const auto p = read(text);
    REQUIRE(!p);
    CHECK(p.error().kind == ErrorKind::malformed_input);
  }
  const auto p = read("\nno count here\n");
  REQUIRE(!p);
  CHECK(p.error().message.find("line 2") != std::string::npos);
}

TEST_CASE("folded: the result is the same for any number of threads and any chunk size") {
  std::mt19937 random{7};
  std::string text;
  std::map<std::string, std::int64_t> expected;
  for (int i = 0; i < 60000; ++i) {
    std::string stack = "root";
    for (unsigned d = random() % 6; d > 0; --d) stack += ";frame" + std::to_string(random() % 9);
    const auto count = static_cast<std::int64_t>(random() % 100);
    expected[stack] += count;
    text += stack + " " + std::to_string(count) + "\n";
  }
  text += "last;line;without;newline 5";
  expected["last;line;without;newline"] = 5;
  std::vector<std::string> order;
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const std::size_t chunk : {1000U, 100000U, 10000000U}) {
      const auto p = read(text, {.threads = threads}, chunk);
      REQUIRE(p);
      CHECK(totals(*p) == expected);
      std::vector<std::string> paths;
      for (std::uint32_t row = 0; row < p->sample_count(); ++row) paths.push_back(path(*p, row));
      if (order.empty()) order = paths;
      CHECK((order == paths));
    }
  }
}

TEST_CASE("folded: detected by most lines, never by one") {
  CHECK(sniffed("a;b 1\nodd line\nc;d 2\n") == "likely");
  CHECK(sniffed("main 10\n") == "possible");
  CHECK(sniffed("hello world\n") == "no");
  CHECK(sniffed("") == "no");
}
