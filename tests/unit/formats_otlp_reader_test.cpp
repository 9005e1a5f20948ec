// SPDX-License-Identifier: Apache-2.0
#include "formats/otlp_reader.h"

#include <hprof/core/base/mapped_file.h>

#include <doctest/doctest.h>

#include <string>

using namespace hprof;           // NOLINT(google-build-using-namespace)
using namespace hprof::formats;  // NOLINT(google-build-using-namespace)

namespace {

std::string varint(std::uint64_t n) {
  std::string out;
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  return out + static_cast<char>(n);
}
std::string number(unsigned field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string bytes(unsigned field, const std::string& body) {
  return varint(field << 3 | 2) + varint(body.size()) + body;
}

std::string dictionary() {
  std::string out;
  for (const char* text : {"", "cpu", "nanoseconds", "main", "main.c", "/bin/x", "thread.name"}) {
    out += bytes(5, text);
  }
  out += bytes(6, "") + bytes(6, number(1, 6) + bytes(2, bytes(1, "worker")));
  out += bytes(1, "") + bytes(1, number(1, 0x1000) + number(2, 0x2000) + number(4, 5));
  out += bytes(3, "") + bytes(3, number(1, 3) + number(3, 4) + number(4, 9));
  out += bytes(2, "") + bytes(2, number(1, 1) + number(2, 0x1010) + bytes(3, number(1, 1) + number(2, 7)));
  out += bytes(7, "") + bytes(7, bytes(1, varint(1)));
  return out;
}

std::string message(const std::string& samples) {
  const std::string profile = bytes(1, number(1, 1) + number(2, 2)) + samples;
  const std::string scope = bytes(2, profile);
  return bytes(1, bytes(2, scope)) + bytes(2, dictionary());
}

Result<Profile> read(const std::string& text) {
  MemorySource source{as_bytes(text)};
  return read_otlp(source, {});
}

}  // namespace

TEST_CASE("otlp: values, moments and attributes of a sample") {
  const std::string moments = bytes(5, std::string(16, '\1'));
  const std::string raw = message(bytes(2, number(1, 1) + bytes(2, varint(5) + varint(6)) + bytes(3, varint(1))) +
                                  bytes(2, number(1, 1) + moments));
  CHECK(sniff_otlp({.head = as_bytes(raw), .whole = true}) == Sniff::likely);
  const Result<Profile> p = read(raw);
  REQUIRE_MESSAGE(p.has_value(), p.error().message);
  REQUIRE(p->sample_count() == 2);
  CHECK(p->string(p->sample_types()[0].type) == "cpu");
  CHECK(p->value(0, 0) == 11);
  CHECK(p->value(0, 1) == 2);
  const auto labels = p->labels(p->sample_labels(0));
  REQUIRE(labels.size() == 1);
  CHECK(p->string(labels[0].text) == "worker");
  const LocationId leaf = p->stack(p->sample_stack(0)).location;
  CHECK(p->location(leaf).address == 0x1010);
  CHECK(frame_name(*p, leaf, 0) == "main");
  CHECK(p->string(p->mapping(p->location(leaf).mapping).filename) == "/bin/x");
}

TEST_CASE("otlp: indexes outside their tables and broken messages are refused") {
  CHECK(read(message(bytes(2, number(1, 9)))).error().message.find("stack 9 of 2") != std::string::npos);
  CHECK(read(message(bytes(2, number(1, 1) + number(3, 9)))).error().message.find("attribute 9") !=
        std::string::npos);
  CHECK_FALSE(read("").has_value());
  const std::string raw = message(bytes(2, number(1, 1)));
  CHECK_FALSE(read(raw.substr(0, raw.size() - 1)).has_value());
}

TEST_CASE("otlp: a capture of the eBPF profiler reads") {
  const std::string path = std::string{HPROF_SHARED} + "/corpus/otlp-profiles/profile.otlp";
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) {
    MESSAGE("skipped: no " << path);
    return;
  }
  MemorySource source{file->bytes()};
  const Format* found = nullptr;
  const Result<Profile> p = read_profile(source, "x", nullptr, {}, &found);
  REQUIRE_MESSAGE(p.has_value(), p.error().message);
  CHECK(found->name == "otlp");
  CHECK(p->sample_count() > 10);
  CHECK(p->total(0) > 0);
}
