// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/pprof.h>

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>

using namespace hprof;           // NOLINT(google-build-using-namespace)
using namespace hprof::formats;  // NOLINT(google-build-using-namespace)

namespace {

Profile example() {
  Profile p;
  p.add_sample_type("samples", "count");
  p.add_sample_type("cpu", "nanoseconds");
  const MappingId m = p.add_mapping({.start = 0x400000,
                                     .limit = 0x500000,
                                     .file_offset = 0x1000,
                                     .filename = p.intern("/usr/bin/app"),
                                     .build_id = p.intern("abc123"),
                                     .has_functions = true});
  const FunctionId outer = p.intern_function({.name = p.intern("outer(int)"),
                                              .system_name = p.intern("_Z5outeri"),
                                              .filename = p.intern("a.cc"),
                                              .start_line = 7});
  const FunctionId inner = p.intern_function("inner");
  const std::array<Line, 2> lines = {Line{inner, 12, 3}, Line{outer, 9, 0}};
  const LocationId leaf = p.intern_location(m, 0x400123, lines);
  const LocationId root = p.intern_location(m, 0x400456);
  const std::array<LocationId, 2> stack = {leaf, root};
  const std::array<Label, 4> labels = {p.text_label("thread", "worker"), p.text_label("empty", ""),
                                       p.number_label("bytes", 0),
                                       p.number_label("size", -5, "kilobytes")};
  p.add_sample(p.intern_stack_leaf_first(stack), p.intern_labels(labels),
               std::array<std::int64_t, 2>{3, -30000000});
  p.add_sample(0, 0, std::array<std::int64_t, 2>{0, 0});
  p.header.time_nanos = 1700000000000000000;
  p.header.duration_nanos = 5;
  p.header.period_type = {p.intern("cpu"), p.intern("nanoseconds")};
  p.header.period = 10101010;
  p.header.default_sample_type = p.intern("cpu");
  p.header.drop_frames = p.intern("drop.*");
  p.header.keep_frames = p.intern("keep.*");
  p.header.doc_url = p.intern("https://example.org/x");
  p.header.comments = {p.intern("one"), p.intern("two")};
  return p;
}

std::string encode(const Profile& p, int level = 0) {
  WriteOptions options;
  options.gzip_level = level;
  StringSink sink;
  REQUIRE(write_pprof(p, sink, options).has_value());
  return sink.take();
}

Result<Profile> decode(std::string_view bytes) { return decode_pprof(as_bytes(bytes), {}); }

Result<std::optional<RewriteSummary>> rewrite(std::string_view bytes, StringSink& sink,
                                              std::size_t step = 0) {
  WriteOptions options;
  options.gzip_level = 0;
  MemorySource whole{as_bytes(bytes)};
  // Pieces of a few bytes, as if from a pipe.
  class Drip final : public ByteSource {
   public:
    Drip(Bytes all, std::size_t size) : inner_(all, size) {}
    Result<Bytes> next() override { return inner_.next(); }

   private:
    MemorySource inner_;
  } drip{as_bytes(bytes), std::max<std::size_t>(step, 1)};
  ByteSource& source = step == 0 ? static_cast<ByteSource&>(whole) : drip;
  return rewrite_pprof(source, sink, "x.pb", {}, options);
}

std::string refusal(std::string_view bytes) {
  const Result<Profile> got = decode(bytes);
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().kind == ErrorKind::malformed_input);
  // What cannot be read cannot be packed anew either.
  for (const std::size_t step : {0, 1, 5}) {
    StringSink sink;
    const auto again = rewrite(bytes, sink, step);
    CHECK_MESSAGE(!again.has_value(), got.error().message);
  }
  return got.error().message;
}

}  // namespace

TEST_CASE("what is written as pprof reads back with every field") {
  const Profile p = example();
  const Result<Profile> result = decode(encode(p));
  REQUIRE(result.has_value());
  const Profile& q = *result;
  REQUIRE(q.sample_count() == 2);
  CHECK(q.value(0, 0) == 3);
  CHECK(q.value(1, 0) == -30000000);
  REQUIRE(q.mapping_count() == 1);
  CHECK(q.mapping(1).start == 0x400000);
  CHECK(q.mapping(1).limit == 0x500000);
  CHECK(q.mapping(1).file_offset == 0x1000);
  CHECK(q.string(q.mapping(1).filename) == "/usr/bin/app");
  CHECK(q.string(q.mapping(1).build_id) == "abc123");
  CHECK(q.mapping(1).has_functions);
  CHECK_FALSE(q.mapping(1).has_inline_frames);
  std::vector<LocationId> stack;
  q.stack_leaf_first(q.sample_stack(0), stack);
  REQUIRE(stack.size() == 2);
  CHECK(q.location(stack[0]).address == 0x400123);
  const auto lines = q.lines(stack[0]);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].line == 12);
  CHECK(lines[0].column == 3);
  const Function& outer = q.function(lines[1].function);
  CHECK(q.string(outer.name) == "outer(int)");
  CHECK(q.string(outer.system_name) == "_Z5outeri");
  CHECK(q.string(outer.filename) == "a.cc");
  CHECK(outer.start_line == 7);
  const auto labels = q.labels(q.sample_labels(0));
  REQUIRE(labels.size() == 4);
  CHECK(q.string(labels[0].text) == "worker");
  CHECK_FALSE(labels[1].is_number);
  CHECK(q.string(labels[1].key) == "empty");
  CHECK(labels[2].is_number);
  CHECK(labels[2].number == 0);
  CHECK(labels[3].number == -5);
  CHECK(q.string(labels[3].unit) == "kilobytes");
  CHECK(q.header.time_nanos == p.header.time_nanos);
  CHECK(q.header.duration_nanos == 5);
  CHECK(q.string(q.header.period_type.type) == "cpu");
  CHECK(q.header.period == 10101010);
  CHECK(q.string(q.header.default_sample_type) == "cpu");
  CHECK(q.string(q.header.drop_frames) == "drop.*");
  CHECK(q.string(q.header.keep_frames) == "keep.*");
  CHECK(q.string(q.header.doc_url) == "https://example.org/x");
  REQUIRE(q.header.comments.size() == 2);
  CHECK(q.string(q.header.comments[1]) == "two");
}

TEST_CASE("writing twice gives the same bytes") {
  const std::string once = encode(example());
  const Result<Profile> back = decode(once);
  REQUIRE(back.has_value());
  CHECK(encode(*back) == once);
}

TEST_CASE("pprof is written as one gzip member") {
  const std::string raw = encode(example());
  const std::string packed = encode(example(), 1);
  REQUIRE(packed.substr(0, 2) == "\x1f\x8b");
  std::string out(raw.size() + 100, '\0');
  z_stream z{};
  REQUIRE(inflateInit2(&z, 31) == Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  z.avail_in = static_cast<uInt>(packed.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
  CHECK(z.avail_in == 0);
  CHECK(out.substr(0, z.total_out) == raw);
  inflateEnd(&z);
}

TEST_CASE("unknown fields of messages survive") {
  // Field 100, varint 7, at the top and in a sample, a location, a function and a mapping.
  const std::string extra = "\xa0\x06\x07";
  std::string raw;
  raw += std::string("\x0a\x04\x08\x01\x10\x02", 6);                          // type
  raw += std::string("\x12\x09\x0a\x01\x01\x12\x01\x05", 8) + extra;          // sample
  raw += std::string("\x1a\x05\x08\x01", 4) + extra;                          // mapping
  raw += std::string("\x22\x0b\x08\x01\x10\x01\x22\x02\x08\x01", 10) + extra;  // location
  raw += std::string("\x2a\x07\x08\x01\x10\x01", 6) + extra;                  // function
  raw += std::string("\x32\x00\x32\x01\x61\x32\x01\x62", 8) + extra;          // strings
  const Result<Profile> p = decode(raw);
  REQUIRE_MESSAGE(p.has_value(), p.error().message);
  const std::string again = encode(*p);
  std::size_t count = 0;
  for (std::size_t at = again.find(extra); at != std::string::npos; at = again.find(extra, at + 1)) {
    ++count;
  }
  CHECK(count == 5);
}

TEST_CASE("text that is not UTF-8 is written as UTF-8") {
  Profile p;
  p.add_sample_type("a\xff", "count");
  CHECK(encode(p).find("a\xef\xbf\xbd") != std::string::npos);
}

TEST_CASE("numbers are read packed, unpacked and mixed") {
  const std::string head("\x0a\x04\x08\x01\x10\x02", 6);
  const std::string tail("\x22\x02\x08\x01\x22\x02\x08\x02\x32\x00\x32\x01\x61\x32\x01\x62", 16);
  const std::string sample("\x12\x08\x08\x01\x0a\x02\x02\x01\x10\x05", 10);
  const Result<Profile> p = decode(head + sample + tail);
  REQUIRE_MESSAGE(p.has_value(), p.error().message);
  std::vector<LocationId> stack;
  p->stack_leaf_first(p->sample_stack(0), stack);
  CHECK(stack.size() == 3);
  CHECK(p->value(0, 0) == 5);
}

TEST_CASE("pprof refuses what the reference reader refuses") {
  const std::string type("\x0a\x04\x08\x01\x10\x02", 6);
  const std::string texts("\x32\x00\x32\x01\x61\x32\x01\x62", 8);
  const auto with = [](const char* bytes, std::size_t size) { return std::string(bytes, size); };
  CHECK(refusal("").find("empty") != std::string::npos);
  CHECK(refusal("\x32\x01x").find("string_table[0]") != std::string::npos);
  CHECK(refusal(type + "\x32" + std::string(1, '\0')).find("string index") != std::string::npos);
  CHECK(refusal(type).find("string index") != std::string::npos);
  CHECK(refusal(texts + with("\x12\x02\x10\x05", 4)).find("without any") != std::string::npos);
  CHECK(refusal(type + texts + with("\x12\x04\x10\x05\x10\x06", 6)).find("2 values for 1") !=
        std::string::npos);
  CHECK(refusal(type + texts + with("\x12\x04\x08\x07\x10\x06", 6)).find("unknown location 7") !=
        std::string::npos);
  CHECK(refusal(type + texts + with("\x12\x04\x08\x00\x10\x06", 6)).find("unknown location 0") !=
        std::string::npos);
  CHECK(refusal(texts + with("\x22\x00", 2)).find("reserved id 0") != std::string::npos);
  CHECK(refusal(texts + with("\x22\x02\x08\x01\x22\x02\x08\x01", 8)).find("repeats") !=
        std::string::npos);
  CHECK(refusal(texts + with("\x22\x04\x08\x01\x22\x00", 6)).find("unknown function 0") !=
        std::string::npos);
  CHECK(refusal(texts + with("\x48\x01\x48\x02", 4)).find("concatenated") != std::string::npos);
  CHECK(refusal(type + texts + type + texts).find("concatenated") != std::string::npos);
  CHECK(refusal(with("\x0a\x7f", 2)).find("offset 0x0 of 0x2") != std::string::npos);
  CHECK(refusal(with("\x0b", 1)).find("broken") != std::string::npos);
  CHECK(refusal(with("\x02\x00", 2)).find("broken") != std::string::npos);
  CHECK(refusal(with("\x08\x01", 2)).find("wire type") != std::string::npos);
  CHECK(refusal(with("\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)).find("broken") !=
        std::string::npos);
}

TEST_CASE("a profile without samples keeps its types and strings") {
  const std::string raw("\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x01\x61\x32\x01\x62", 14);
  const Result<Profile> p = decode(raw);
  REQUIRE(p.has_value());
  CHECK(encode(*p) == raw);
}

TEST_CASE("packing anew keeps every byte, in one piece and in many") {
  const std::string raw = encode(example()) + "\xa0\x06\x07";
  for (const std::size_t step : {0, 1, 7, 1000}) {
    StringSink sink;
    const auto done = rewrite(raw, sink, step);
    REQUIRE(done.has_value());
    REQUIRE(done->has_value());
    CHECK((*done)->samples == 2);
    CHECK(sink.text() == raw);
  }
  StringSink sink;
  const auto other = rewrite("main;work 5\n", sink);
  REQUIRE(other.has_value());
  CHECK_FALSE(other->has_value());
}

TEST_CASE("the validator finds nothing in a good profile and names what is odd in another") {
  Profile p = example();
  const auto good = validate_pprof(as_bytes(encode(p)));
  REQUIRE(good.has_value());
  CHECK_MESSAGE(good->empty(), good->front());
  p.header.default_sample_type = p.intern("nothing");
  p.header.drop_frames = p.intern("(");
  p.header.period = -1;
  p.header.doc_url = p.intern("page");
  p.add_mapping({.start = 0x450000, .limit = 0x600000});
  p.add_mapping({.start = 9, .limit = 5});
  const LocationId outside = p.intern_location(1, 0x10);
  const std::array<Label, 2> labels = {p.text_label("pprof::x", "a"), p.text_label("pprof::x", "b")};
  p.add_sample(p.intern_stack(0, outside), p.intern_labels(labels),
               std::array<std::int64_t, 2>{1, 1});
  const auto odd = validate_pprof(as_bytes(encode(p, 1)));
  REQUIRE(odd.has_value());
  std::string all;
  for (const std::string& note : *odd) all += note + "\n";
  for (const char* wanted : {"default_sample_type", "bad regular expression", "negative period",
                             "not absolute", "overlap", "is not below", "outside its mapping",
                             "reserved key", "several values"}) {
    CHECK_MESSAGE(all.find(wanted) != std::string::npos, wanted << " in\n" << all);
  }
}

TEST_CASE("location ids may be any number") {
  const std::string raw(
      "\x0a\x04\x08\x01\x10\x02\x12\x0e\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x05"
      "\x22\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x32\x00\x32\x01\x61\x32\x01\x62",
      6 + 15 + 13 + 8);
  std::string fixed = raw;
  fixed[7] = '\x0d';
  const Result<Profile> p = decode(fixed);
  REQUIRE_MESSAGE(p.has_value(), p.error().message);
  CHECK(p->value(0, 0) == 5);
}
