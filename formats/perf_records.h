// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "byte_window.h"
#include "perf_builder.h"

#include <memory>
#include <vector>

namespace hprof::formats::perf {

/// Brings records into the order of time and gives them to a builder. Records come in rounds; what
/// is older than the end of the round before the last cannot be overtaken any more.
/// Source: tools/perf/util/ordered-events.c.
class RecordSorter {
 public:
  explicit RecordSorter(Builder& builder) : builder_(builder) {}

  void add(const Record& record);
  void finished_round();
  void flush_all() { flush(~std::uint64_t{0}); }

 private:
  struct Waiting {
    std::uint64_t time = 0;
    std::uint32_t type = 0;
    std::uint16_t misc = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  void flush(std::uint64_t limit);

  Builder& builder_;
  std::vector<Waiting> waiting_;
  std::vector<std::byte> bytes_;
  std::vector<std::byte> spare_;
  std::uint64_t newest_ = 0;
  std::uint64_t settled_ = 0;
};

/// Reads a chain of records, those inside COMPRESSED ones too.
class RecordReader {
 public:
  RecordReader(Builder& builder, std::endian order, const ReadLimits& limits);
  ~RecordReader();
  RecordReader(RecordReader&&) = delete;

  /// Reads records from `window` up to its absolute offset `end`.
  /// Errors: malformed_input with the record's number and offset.
  Result<void> read(ByteWindow& window, std::uint64_t end);
  /// To be called once, after the last read().
  void finish() { sorter_.flush_all(); }

 private:
  struct Zstd;

  Result<void> handle(const Record& record);
  Result<void> handle_attr(const Record& record);
  Result<void> unpack(Bytes packed);
  Error wrong(std::string what) const;

  Builder& builder_;
  std::endian order_;
  ReadLimits limits_;
  RecordSorter sorter_;
  std::unique_ptr<Zstd> zstd_;
  std::vector<std::byte> unpacked_;  ///< records that end in a later COMPRESSED record
  std::uint64_t unpacked_total_ = 0;
  std::uint64_t count_ = 0;   ///< of the record in hand …
  std::uint64_t offset_ = 0;  ///< … and where it stands
};

}  // namespace hprof::formats::perf
