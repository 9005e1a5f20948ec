// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/pprof.h>
#include <hprof/formats/registry.h>

#include "formats/decompress.h"

#include <doctest/doctest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <string>

using namespace hprof;           // NOLINT(google-build-using-namespace)
using namespace hprof::formats;  // NOLINT(google-build-using-namespace)

namespace {

std::string gzip(std::string_view text) {
  std::string out(text.size() + text.size() / 1000 + 1000, '\0');
  z_stream z{};
  REQUIRE(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string xz(std::string_view text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr,
                                  reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                  reinterpret_cast<std::uint8_t*>(out.data()), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

// Gives its bytes a few at a time and never as a whole, as a pipe does.
class Drip final : public ByteSource {
 public:
  explicit Drip(std::string_view text, std::size_t step = 7) : inner_(as_bytes(text), step) {}
  Result<Bytes> next() override { return inner_.next(); }

 private:
  MemorySource inner_;
};

std::string unwrap(ByteSource& source, Notes* notes = nullptr, ReadLimits limits = {}) {
  auto opened = UnwrappedSource::open(source, limits, notes);
  if (!opened) return "error: " + opened.error().message;
  CHECK((*opened)->peek(4).has_value());
  std::string out;
  for (;;) {
    Result<Bytes> chunk = (*opened)->next();
    if (!chunk) return "error: " + chunk.error().message;
    if (chunk->empty()) return out;
    out += as_text(*chunk);
  }
}

std::string unwrap(std::string_view bytes) {
  MemorySource whole{as_bytes(bytes), 11};
  const std::string one = unwrap(whole);
  Drip drip{bytes};
  const std::string other = unwrap(drip);
  // Where exactly damage shows depends on the pieces.
  if (!one.starts_with("error: ")) CHECK(one == other);
  CHECK(one.starts_with("error: ") == other.starts_with("error: "));
  return one;
}

std::string pprof_bytes() {
  Profile p;
  p.add_sample_type("cpu", "nanoseconds");
  const FunctionId f = p.intern_function("main");
  const std::array<Line, 1> lines = {Line{f, 1, 0}};
  p.add_sample(p.intern_stack(0, p.intern_location(0, 0, lines)), 0,
               std::array<std::int64_t, 1>{5});
  WriteOptions options;
  options.gzip_level = 0;
  StringSink sink;
  REQUIRE(write_pprof(p, sink, options).has_value());
  return sink.take();
}

std::string read_error(std::string_view bytes, std::string_view path = "x") {
  MemorySource source{as_bytes(bytes)};
  const Result<Profile> got = read_profile(source, path, nullptr, {});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().kind == ErrorKind::malformed_input);
  return got.error().message;
}

}  // namespace

TEST_CASE("each wrapper comes off, also in pieces, in several streams and twice") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "line " + std::to_string(i * 7919 % 10007) + "\n";
  CHECK(unwrap(text) == text);
  CHECK(unwrap(gzip(text)) == text);
  CHECK(unwrap(zstd(text)) == text);
  CHECK(unwrap(xz(text)) == text);
  CHECK(unwrap(gzip(text) + gzip("more")) == text + "more");
  CHECK(unwrap(zstd(text) + zstd("more")) == text + "more");
  CHECK(unwrap(xz(text) + xz("more")) == text + "more");
  CHECK(unwrap(gzip(gzip(text))) == text);
  CHECK(unwrap(zstd(gzip(text))) == text);
  CHECK(unwrap(gzip(text) + std::string(512, '\0')) == text);
}

TEST_CASE("damage to a wrapper is an error with a place") {
  const std::string text(10000, 'x');
  for (const std::string& packed : {gzip(text), zstd(text), xz(text)}) {
    CHECK(unwrap(packed.substr(0, packed.size() - 3)).find("in the middle") != std::string::npos);
    CHECK(unwrap(packed + "trailing garbage").find("damaged at offset") != std::string::npos);
    std::string changed = packed;
    changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 0x55);
    CHECK(unwrap(changed).starts_with("error: "));
  }
}

TEST_CASE("a third wrapper, a bomb and too many bytes are refused") {
  CHECK(unwrap(gzip(gzip(gzip("x")))).find("more than 2 times") != std::string::npos);
  const std::string zeros(std::size_t{80} << 20, '\0');
  CHECK(unwrap(gzip(gzip(zeros))).find("bomb") != std::string::npos);
  const std::string packed = gzip(zeros);
  Drip drip{packed, 1 << 16};
  CHECK(unwrap(drip, nullptr, {.max_bytes = 1 << 20}).find("more than 1048576") !=
        std::string::npos);
}

TEST_CASE("a second wrapper is noted once") {
  Notes notes;
  const std::string packed = gzip(gzip("text"));
  MemorySource source{as_bytes(packed)};
  CHECK(unwrap(source, &notes) == "text");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("gzip in gzip") != std::string::npos);
}

TEST_CASE("pprof is found by content whatever its wrapper and name") {
  const std::string raw = pprof_bytes();
  for (const std::string& bytes : {raw, gzip(raw), zstd(raw), xz(raw), gzip(gzip(raw))}) {
    MemorySource source{as_bytes(bytes)};
    const Format* found = nullptr;
    const Result<Profile> p = read_profile(source, "noname", nullptr, {}, &found);
    REQUIRE_MESSAGE(p.has_value(), p.error().message);
    CHECK(found == find_format("pprof"));
    CHECK(p->value(0, 0) == 5);
  }
}

TEST_CASE("an unknown input says what it looks like") {
  CHECK(read_error("\x7f" "ELF\x02\x01\x01").find("an ELF binary") != std::string::npos);
  CHECK(read_error("\x89PNG\r\n").find("a PNG image") != std::string::npos);
  CHECK(read_error("{\"a\": 1}").find("JSON of no known") != std::string::npos);
  CHECK(read_error("<!DOCTYPE html><html>").find("an HTML page") != std::string::npos);
  CHECK(read_error(std::string_view{"\x00\x01\x02", 3}).find("binary data") != std::string::npos);
  CHECK(read_error("").find("empty") != std::string::npos);
  CHECK(read_error(gzip("")).find("empty") != std::string::npos);
  CHECK(read_error("\x89PNG", "x.pb.gz").find("pprof: ") != std::string::npos);
}

TEST_CASE("the extension of an output names its format") {
  CHECK(format_for_output("a/b.pb.gz") == find_format("pprof"));
  CHECK(format_for_output("b.pprof") == find_format("pprof"));
  CHECK(format_for_output("pprof") == nullptr);
  CHECK(format_for_output("x.unknown") == nullptr);
  CHECK(find_format("nothing") == nullptr);
  CHECK(known_formats(true).find("pprof") != std::string::npos);
}
