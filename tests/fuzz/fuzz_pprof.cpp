// SPDX-License-Identifier: Apache-2.0
// Any bytes either fail to read as pprof, or are written so that they read again.
#include <hprof/core/base/error.h>
#include <hprof/formats/pprof.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto profile =
      hprof::formats::decode_pprof(std::as_bytes(std::span{data, size}), {});
  // The decoder and the one-pass checker agree on what is valid.
  hprof::MemorySource source{std::as_bytes(std::span{data, size})};
  hprof::StringSink same;
  hprof::formats::WriteOptions raw;
  raw.gzip_level = 0;
  const auto rewritten = hprof::formats::rewrite_pprof(source, same, "x.pb", {}, raw);
  const bool packed = rewritten.has_value() && rewritten->has_value();
  HPROF_CHECK(!packed || profile.has_value());
  if (!profile) return 0;
  hprof::StringSink sink;
  hprof::formats::WriteOptions options;
  options.gzip_level = 0;
  HPROF_CHECK(hprof::formats::write_pprof(*profile, sink, options).has_value());
  const auto again = hprof::formats::decode_pprof(hprof::as_bytes(sink.text()), {});
  HPROF_CHECK(size == 0 || sink.text().empty() || again.has_value());
  if (again) HPROF_CHECK(again->sample_count() == profile->sample_count());
  return 0;
}
