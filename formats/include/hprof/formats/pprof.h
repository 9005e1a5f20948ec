// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile_writer.h>
#include <hprof/formats/registry.h>

#include <optional>

namespace hprof::formats {

/// pprof's profile.proto: writes it gzip-compressed at `options.gzip_level`, or raw at level 0.
/// Rows that no sample uses are left out (mappings stay), text is made valid UTF-8, labels and
/// unknown fields are kept. Errors: what `sink` says.
Result<void> write_pprof(const Profile& profile, ByteSink& sink, const WriteOptions& options = {});

/// Reads profile.proto, raw: read_profile() takes the compression off first.
/// Errors: malformed_input with offset and reason. Source: reference reader of google/pprof.
Result<Profile> read_pprof(ByteSource& source, const ReadOptions& options);
/// The same for bytes in memory.
Result<Profile> decode_pprof(Bytes raw, const ReadOptions& options);

/// Checks profile.proto, raw or compressed, by all that makes it invalid, and returns what readers
/// accept but should not be there (reserved label keys, odd mappings, unused rows, …), a line each.
/// Errors: malformed_input, as reading. Source: reference/formats.md A2.
Result<Notes> validate_pprof(Bytes bytes);

struct RewriteSummary {
  std::uint64_t samples = 0;
};

/// Packs a profile anew without taking it apart: every field, known or not, stays as it is, and all
/// that reading would refuse is refused. What went into `sink` counts only after success. Empty if
/// `source` is not pprof. Memory: bounded, or once the raw bytes where `source` lies in memory.
Result<std::optional<RewriteSummary>> rewrite_pprof(ByteSource& source, ByteSink& sink,
                                                    std::string_view path,
                                                    const ReadOptions& read,
                                                    const WriteOptions& write);

/// Protobuf has no magic: walks top-level fields 1..15 and checks their wire types.
Sniff sniff_pprof(const SniffInput& input);

/// The pprof format for code that knows ProfileWriter only.
class PprofWriter final : public ProfileWriter {
 public:
  explicit PprofWriter(int gzip_level = 1) : gzip_level_(gzip_level) {}
  Result<void> write(const Profile& profile, ByteSink& sink) const override {
    WriteOptions options;
    options.gzip_level = gzip_level_;
    return write_pprof(profile, sink, options);
  }

 private:
  int gzip_level_;
};

}  // namespace hprof::formats
