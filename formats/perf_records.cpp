// SPDX-License-Identifier: Apache-2.0
#include "perf_records.h"

#include "perf_layout.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>

namespace hprof::formats::perf {

void RecordSorter::add(const Record& record) {
  const auto time = builder_.time_of(record);
  if (!time) return builder_.apply(record);
  newest_ = std::max(newest_, *time);
  waiting_.push_back({*time, record.type, record.misc, bytes_.size(), record.body.size()});
  bytes_.insert(bytes_.end(), record.body.begin(), record.body.end());
}

void RecordSorter::finished_round() {
  flush(settled_);
  settled_ = newest_;
}

void RecordSorter::flush(std::uint64_t limit) {
  std::ranges::stable_sort(waiting_, {}, &Waiting::time);
  const auto end = std::ranges::upper_bound(waiting_, limit, {}, &Waiting::time);
  for (auto at = waiting_.begin(); at != end; ++at) {
    builder_.apply({at->type, at->misc, Bytes{bytes_}.subspan(at->offset, at->size)});
  }
  waiting_.erase(waiting_.begin(), end);
  spare_.clear();
  for (Waiting& left : waiting_) {
    const Bytes body = Bytes{bytes_}.subspan(left.offset, left.size);
    left.offset = spare_.size();
    spare_.insert(spare_.end(), body.begin(), body.end());
  }
  std::swap(bytes_, spare_);
}

/// One zstd stream runs through all COMPRESSED records of a file.
struct RecordReader::Zstd {
  ZSTD_DStream* stream = ZSTD_createDStream();
  Zstd() = default;
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  ~Zstd() { ZSTD_freeDStream(stream); }
};

RecordReader::RecordReader(Builder& builder, std::endian order, const ReadLimits& limits)
    : builder_(builder), order_(order), limits_(limits), sorter_(builder) {}
RecordReader::~RecordReader() = default;

Error RecordReader::wrong(std::string what) const {
  return {ErrorKind::malformed_input,
          fmt::format("perf.data: record {} at offset {:#x} {}", count_, offset_, what),
          "--recover uses what comes before it"};
}

Result<void> RecordReader::read(ByteWindow& window, std::uint64_t end) {
  while (window.offset() < end) {
    const std::uint64_t at = window.offset();
    offset_ = at;
    HPROF_ASSIGN(Bytes front, window.peek(8));
    if (front.empty() && end == ~std::uint64_t{0}) break;  // a pipe ends where it ends
    if (front.size() < 8 || end - at < 8) {
      return wrong(fmt::format("is cut, {} bytes are left", std::min<std::uint64_t>(front.size(), end - at)));
    }
    ByteReader header{front, order_};
    Record record;
    record.type = header.u32();
    record.misc = header.u16();
    const std::uint16_t size = header.u16();
    if (size < 8) return wrong(fmt::format("claims {} bytes, its header alone has 8", size));
    HPROF_ASSIGN(front, window.peek(size));
    if (front.size() < size || size > end - at) {
      return wrong(fmt::format("claims {} bytes, {} are left", size,
                                   std::min<std::uint64_t>(front.size(), end - at)));
    }
    record.body = front.subspan(8, size - 8U);
    ByteReader body{record.body, order_};
    // These two are followed by a payload that their size does not count.
    std::uint64_t payload = 0;
    if (record.type == kAuxtrace) payload = body.u64();
    if (record.type == kHeaderTracingData) payload = body.u32();
    HPROF_TRY(handle(record));
    HPROF_TRY(window.skip(size));
    if (payload > end - window.offset()) return wrong(fmt::format("is followed by {} bytes, too many", payload));
    HPROF_TRY(window.skip(payload));
    ++count_;
  }
  return {};
}

Result<void> RecordReader::handle(const Record& record) {
  ByteReader in{record.body, order_};
  switch (record.type) {
    case kHeaderAttr: return handle_attr(record);
    case kHeaderBuildId: parse_build_id(record.body, record.misc, order_, builder_.features); return {};
    case kHeaderFeature: {
      const std::uint64_t feature = in.u64();
      if (feature < kFeatureLast) {
        parse_feature(static_cast<unsigned>(feature), in.take(in.remaining()), order_, builder_.features);
      }
      return {};
    }
    case kEventUpdate: {
      constexpr std::uint64_t kName = 2;
      const std::uint64_t kind = in.u64();
      const std::uint64_t id = in.u64();
      const std::string_view text = as_text(in.take(in.remaining()));
      if (in.ok() && kind == kName) builder_.name_event(id, std::string{text.substr(0, text.find('\0'))});
      return {};
    }
    case kFinishedRound: sorter_.finished_round(); return {};
    case kCompressed: return unpack(record.body);
    case kCompressed2: {
      const std::uint64_t size = in.u64();
      const Bytes packed = in.take(size);
      if (!in.ok()) return wrong(fmt::format("claims {} compressed bytes, {} are there", size, in.remaining()));
      return unpack(packed);
    }
    default: break;
  }
  if (record.type < kUserFirst) sorter_.add(record);
  return {};
}

// The attr, as long as it says, then the ids of its event.
Result<void> RecordReader::handle_attr(const Record& record) {
  const std::size_t size = attr_size(record.body, order_);
  auto attr = size <= record.body.size() ? parse_attr(record.body.first(size), order_) : std::nullopt;
  if (!attr) return wrong("is an event description cut short");
  ByteReader in{record.body.subspan(size), order_};
  while (in.remaining() >= 8) attr->ids.push_back(in.u64());
  builder_.add_attr(*std::move(attr));
  return {};
}

Result<void> RecordReader::unpack(Bytes packed) {
  if (zstd_ == nullptr) zstd_ = std::make_unique<Zstd>();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::vector<std::byte> piece(ZSTD_DStreamOutSize());
  for (bool full = true; in.pos < in.size || full;) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const std::size_t status = ZSTD_decompressStream(zstd_->stream, &out, &in);
    if (ZSTD_isError(status) != 0) {
      return wrong(fmt::format("cannot be decompressed: {}", ZSTD_getErrorName(status)));
    }
    full = out.pos == out.size;
    unpacked_total_ += out.pos;
    if (unpacked_total_ > limits_.max_bytes) {
      return wrong(fmt::format("decompresses to more than {} bytes", limits_.max_bytes));
    }
    unpacked_.insert(unpacked_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(out.pos));
    // Whole records are used at once, so that the buffer holds one piece and one part.
    std::size_t at = 0;
    while (unpacked_.size() - at >= 8) {
      ByteReader header{Bytes{unpacked_}.subspan(at), order_};
      Record record;
      record.type = header.u32();
      record.misc = header.u16();
      const std::uint16_t size = header.u16();
      if (size < 8) return wrong(fmt::format("holds a record that claims {} bytes", size));
      if (unpacked_.size() - at < size) break;
      record.body = Bytes{unpacked_}.subspan(at + 8, size - 8U);
      // A compressed record inside a compressed one would let a small file go on for ever.
      if (record.type != kCompressed && record.type != kCompressed2) HPROF_TRY(handle(record));
      at += size;
    }
    unpacked_.erase(unpacked_.begin(), unpacked_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return {};
}

}  // namespace hprof::formats::perf
