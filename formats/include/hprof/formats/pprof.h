// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile_writer.h>
#include <hprof/formats/registry.h>

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
