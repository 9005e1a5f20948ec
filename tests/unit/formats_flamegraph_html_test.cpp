// SPDX-License-Identifier: Apache-2.0
#include "formats/base64_sink.h"
#include "formats/flamegraph_data.h"
#include "tests/support/profile_builder.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

using namespace hprof;
using namespace hprof::formats;
using namespace hprof::testing;

namespace {

std::string gunzip(std::string_view data) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 31) == Z_OK);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

struct Data {
  std::string header;
  std::string columns;
};

Data data_of(const Profile& profile, const WriteOptions& options = {}) {
  StringSink sink;
  REQUIRE(write_flamegraph_data(profile, sink, options));
  const std::string raw = gunzip(sink.text());
  const std::size_t size = static_cast<unsigned char>(raw[0]) +
                           256U * static_cast<unsigned char>(raw[1]);
  return {raw.substr(4, size), raw.substr(4 + size)};
}

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out.push_back(static_cast<char>(value));
  return out;
}

}  // namespace

TEST_CASE("flame data: nodes in preorder, rows by node, one column for each sample type") {
  Profile p = profile_of({{"a;b", 5}, {"c", 300}, {"a;d", 1}});
  p.add_sample_type("time", "nanoseconds");
  const Data data = data_of(p);
  CHECK(data.header ==
        "{\"format\":1,\"title\":\"\",\"types\":[{\"type\":\"samples\",\"unit\":\"count\"},"
        "{\"type\":\"time\",\"unit\":\"nanoseconds\"}],\"type\":0,\"inverted\":false,"
        "\"reverse\":false,\"negative\":false,\"time_nanos\":0,\"duration_nanos\":0,"
        "\"names\":[\"a\",\"b\",\"c\",\"d\"],\"modules\":[\"\"],\"module_of\":[0,0,0,0],"
        "\"threads\":[\"\"],\"nodes\":4,\"rows\":3}");
  CHECK(data.columns == bytes({0, 1, 3, 2,      // names: a b d c
                               0, 0, 1, 2,      // levels up
                               2, 1, 1,         // rows of b, d, c
                               5, 1, 0xac, 2,   // samples
                               0, 0, 0}));      // time
}

TEST_CASE("flame data: values of a difference are signed, threads are told apart") {
  Profile p;
  p.add_sample_type("samples", "count");
  const auto thread = [&](std::string_view name, std::int64_t id) {
    return p.intern_labels(std::array{p.text_label("thread", name), p.number_label("tid", id)});
  };
  add_stack(p, "a", {-3}, thread("io", 7));
  add_stack(p, "a", {2}, thread("cpu", 8));
  const Data data = data_of(p, {.negative = true});
  CHECK(data.header.find("\"threads\":[\"io (7)\",\"cpu (8)\"]") != std::string::npos);
  CHECK(data.columns == bytes({0, 0, 1, 0, 0, 1, 5, 4}));
}

TEST_CASE("html: one page that loads nothing, whatever the names hold") {
  StringSink sink;
  REQUIRE(write_flamegraph_html(profile_of({{"</script><b>", 1}}), sink, {.title = "<t>@"}));
  CHECK(sink.text().find("<title>&lt;t&gt;@</title>") != std::string::npos);
  CHECK(sink.text().find("</script><b>") == std::string::npos);
  CHECK(sink.text().find("http") == std::string::npos);
  CHECK(sink.text().find("src=") == std::string::npos);
}

TEST_CASE("base64 as RFC 4648 has it, however the bytes are cut") {
  const std::string_view text = "foobar";
  const std::string_view expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t n = 0; n <= text.size(); ++n) {
    StringSink sink;
    Base64Sink base64{sink};
    for (const char c : text.substr(0, n)) REQUIRE(base64.write(std::string_view{&c, 1}));
    REQUIRE(base64.finish());
    CHECK(sink.text() == expected[n]);
  }
}
