// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/pprof.h>

#include "decompress.h"
#include "detect.h"
#include "gzip_sink.h"
#include "pprof_checker.h"

namespace hprof::formats {
namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;

// All bytes are there: they are checked and packed where they lie.
Result<void> rewrite_whole(Bytes raw, PprofChecker& checker, ByteSink& sink, int level) {
  HPROF_TRY(checker.feed(raw));
  return level == 0 ? sink.write(raw) : gzip_whole(raw, sink, level);
}

Result<void> rewrite_pieces(ByteSource& source, PprofChecker& checker, ByteSink& sink, int level) {
  GzipSink gzip{sink, level};
  ByteSink& out = level == 0 ? sink : gzip;
  for (;;) {
    HPROF_ASSIGN(const Bytes piece, source.next());
    if (piece.empty()) break;
    HPROF_TRY(checker.feed(piece));
    HPROF_TRY(out.write(piece));
  }
  return level == 0 ? Result<void>{} : gzip.finish();
}

}  // namespace

Result<std::optional<RewriteSummary>> rewrite_pprof(ByteSource& source, ByteSink& sink,
                                                    std::string_view path,
                                                    const ReadOptions& read,
                                                    const WriteOptions& write) {
  HPROF_ASSIGN(const std::unique_ptr<UnwrappedSource> raw,
               UnwrappedSource::open(source, read.limits, read.notes));
  HPROF_ASSIGN(const Bytes head, raw->peek(kHead));
  const Format* format = detect_format({.head = head, .whole = head.size() < kHead}, path);
  if (format == nullptr || format->read != read_pprof) return std::optional<RewriteSummary>{};
  PprofChecker checker;
  const Bytes whole = raw->rest();
  HPROF_TRY(whole.empty() ? rewrite_pieces(*raw, checker, sink, write.gzip_level)
                          : rewrite_whole(whole, checker, sink, write.gzip_level));
  HPROF_ASSIGN(const std::uint64_t samples, checker.finish());
  return std::optional{RewriteSummary{samples}};
}

}  // namespace hprof::formats
