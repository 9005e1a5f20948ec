// SPDX-License-Identifier: Apache-2.0
#include "perf_data.h"

#include "byte_window.h"
#include "perf_builder.h"
#include "perf_layout.h"
#include "perf_records.h"

#include <fmt/format.h>

#include <array>
#include <bitset>

namespace hprof::formats {
namespace {

using namespace perf;

constexpr std::uint64_t kMaxFrontBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxFeatureBytes = std::uint64_t{512} << 20;

Error malformed(std::string what) {
  return {ErrorKind::malformed_input, "perf.data: " + std::move(what), {}};
}

struct Section {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// magic u64, size u64, attr_size u64, attrs, data, event types {offset, size}, 256 feature bits.
struct FileHeader {
  std::endian order = std::endian::little;
  std::uint64_t size = 0;
  std::uint64_t attr_size = 0;
  Section attrs;
  Section data;
  std::bitset<kFeatureLast> features;
};

std::optional<std::endian> order_of(Bytes head) {
  const std::string_view text = as_text(head);
  if (text.starts_with("PERFILE2")) return std::endian::little;
  if (text.starts_with("2ELIFREP")) return std::endian::big;
  // Version 1 (Linux 2.6.31) wrote the same text in both orders: sizes tell, they are small.
  if (text.starts_with("PERFFILE")) {
    const auto size = load<std::uint64_t>(head, 8);
    const bool native = size < 0x10000;
    return native ? std::endian::native
                  : std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
  }
  return std::nullopt;
}

Result<FileHeader> parse_header(Bytes head) {
  const auto order = order_of(head);
  if (!order) return malformed("the signature is missing");
  FileHeader header;
  header.order = *order;
  ByteReader in{head, *order};
  in.u64();
  header.size = in.u64();
  if (!in.ok()) return malformed(fmt::format("the header is cut, {} bytes are there", head.size()));
  if (header.size == kPipeHeaderSize) return header;
  header.attr_size = in.u64();
  for (Section* section : {&header.attrs, &header.data}) {
    section->offset = in.u64();
    section->size = in.u64();
  }
  in.skip(16);  // event types, empty since 3.4
  for (unsigned word = 0; word < 4; ++word) {
    const std::uint64_t bits = in.u64();
    for (unsigned bit = 0; bit < 64; ++bit) header.features[word * 64 + bit] = (bits >> bit & 1) != 0;
  }
  if (!in.ok()) return malformed(fmt::format("the header is cut, {} bytes are there", head.size()));
  return header;
}

Bytes section_of(Bytes file, Section section) {
  if (section.offset > file.size() || section.size > file.size() - section.offset) return {};
  return file.subspan(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.size));
}

// Each entry: a perf_event_attr, then {offset, size} of its ids.
Result<void> read_attrs(const FileHeader& header, Bytes front, Builder& builder) {
  if (header.attr_size < 64 + 16) return malformed(fmt::format("an event takes {} bytes, too few", header.attr_size));
  const Bytes table = section_of(front, header.attrs);
  if (table.size() != header.attrs.size) {
    return malformed(fmt::format("the events at offset {:#x} are not before the samples", header.attrs.offset));
  }
  for (std::size_t at = 0; table.size() - at >= header.attr_size; at += static_cast<std::size_t>(header.attr_size)) {
    const Bytes entry = table.subspan(at, static_cast<std::size_t>(header.attr_size));
    auto attr = parse_attr(entry.first(entry.size() - 16), header.order);
    if (!attr) return malformed("an event description is cut");
    ByteReader where{entry.last(16), header.order};
    Section ids;
    ids.offset = where.u64();
    ids.size = where.u64();
    ByteReader in{section_of(front, ids), header.order};
    while (in.remaining() >= 8) attr->ids.push_back(in.u64());
    builder.add_attr(*std::move(attr));
  }
  if (!builder.has_attrs()) return malformed("the file describes no event");
  return {};
}

// Behind the samples: {offset, size} of each feature whose bit is set, then their contents.
void read_features(const FileHeader& header, Bytes tail, std::uint64_t tail_offset, Builder& builder) {
  ByteReader table{tail, header.order};
  for (unsigned feature = 0; feature < kFeatureLast; ++feature) {
    if (!header.features[feature]) continue;
    Section section;
    section.offset = table.u64();
    section.size = table.u64();
    if (!table.ok()) return;
    if (section.offset < tail_offset) continue;
    section.offset -= tail_offset;
    parse_feature(feature, section_of(tail, section), header.order, builder.features);
  }
}

bool is_date(const std::optional<std::int64_t>& time) {
  return time && *time >= 1'000'000'000'000'000'000;
}

/// Runs `read` and turns its failure into a note where the user wants what is left.
Result<void> recoverable(Result<void> read, const ReadOptions& options, Builder& builder) {
  if (read) return {};
  if (!options.recover || read.error().kind != ErrorKind::malformed_input) return read;
  ++builder.bad;
  if (options.notes != nullptr) {
    options.notes->push_back(read.error().message + "; what comes before it was used");
  }
  return {};
}

Result<void> read_file_mode(ByteWindow& window, const FileHeader& header, const ReadOptions& options,
                            Builder& builder) {
  if (header.data.offset < kFileHeaderSize || header.data.offset > kMaxFrontBytes) {
    return malformed(fmt::format("the samples are said to begin at offset {:#x}", header.data.offset));
  }
  HPROF_ASSIGN(Bytes front, window.peek(static_cast<std::size_t>(header.data.offset)));
  if (front.size() < header.data.offset) return malformed(fmt::format("the file ends at offset {:#x}, before its samples", front.size()));
  HPROF_TRY(read_attrs(header, front.first(static_cast<std::size_t>(header.data.offset)), builder));
  std::uint64_t end = header.data.offset + header.data.size;
  if (end < header.data.offset) return malformed("the size of the samples is absurd");
  if (header.data.size == 0) {
    // perf writes the size last: it was killed before.
    if (!options.recover) {
      HPROF_ASSIGN(const Bytes more, window.peek(static_cast<std::size_t>(header.data.offset) + 8));
      if (more.size() > header.data.offset) {
        return Error{ErrorKind::malformed_input, "perf.data: the file was not closed properly, its size is 0",
                     "--recover reads it to its end"};
      }
    }
    end = ~std::uint64_t{0};
  }
  HPROF_TRY(window.skip(header.data.offset));
  RecordReader records{builder, header.order, options.limits};
  if (is_date(options.since_ns) || is_date(options.until_ns)) {
    // Dates need the clock, which stands behind the samples.
    HPROF_ASSIGN(const Bytes rest, window.rest(options.limits.max_bytes));
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(header.data.size, rest.size()));
    read_features(header, rest.subspan(size), end, builder);
    MemorySource again{rest.first(size)};
    ByteWindow data{again};
    HPROF_TRY(recoverable(records.read(data, size), options, builder));
    records.finish();
    return {};
  }
  HPROF_TRY(recoverable(records.read(window, end), options, builder));
  records.finish();
  if (window.offset() != end) return {};
  HPROF_ASSIGN(const Bytes tail, window.rest(kMaxFeatureBytes));
  read_features(header, tail, end, builder);
  return {};
}

}  // namespace

Sniff sniff_perf_data(const SniffInput& input) {
  return order_of(input.head) ? Sniff::magic : Sniff::no;
}

Result<Profile> read_perf_data(ByteSource& source, const ReadOptions& options) {
  return read_perf_data(source, options, nullptr);
}

Result<Profile> read_perf_data(ByteSource& source, const ReadOptions& options, PerfDataFacts* facts) {
  ByteWindow window{source};
  HPROF_ASSIGN(const Bytes head, window.peek(kFileHeaderSize));
  HPROF_ASSIGN(const FileHeader header, parse_header(head));
  Builder builder{options, header.order};
  if (header.size == kPipeHeaderSize) {
    HPROF_TRY(window.skip(kPipeHeaderSize));
    RecordReader records{builder, header.order, options.limits};
    HPROF_TRY(recoverable(records.read(window, ~std::uint64_t{0}), options, builder));
    records.finish();
    if (!builder.has_attrs()) return malformed("the stream describes no event");
  } else {
    HPROF_TRY(read_file_mode(window, header, options, builder));
  }
  if (builder.outside_clock) {
    return Error{ErrorKind::usage, "perf.data: this recording has no dates, only times since boot",
                 "give --since and --until as @SECONDS of that clock, or record with -k CLOCK_REALTIME"};
  }
  if (facts != nullptr) *facts = {builder.features, builder.samples, builder.bad};
  return builder.finish();
}

}  // namespace hprof::formats
