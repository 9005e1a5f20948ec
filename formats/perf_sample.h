// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_attr.h"

#include <hprof/core/base/bytes.h>

#include <cstdint>
#include <optional>

namespace hprof::formats::perf {

/// Numbers of 64 bits in a record, in the file's byte order. Lifetime: borrows the record.
class Words {
 public:
  Words() = default;
  Words(Bytes bytes, std::endian order) : bytes_(bytes), swap_(order != std::endian::native) {}
  [[nodiscard]] std::size_t size() const { return bytes_.size() / 8; }
  [[nodiscard]] std::uint64_t operator[](std::size_t i) const {
    const auto value = load<std::uint64_t>(bytes_, i * 8);
    return swap_ ? byteswap(value) : value;
  }

 private:
  Bytes bytes_;
  bool swap_ = false;
};

/// One SAMPLE record, as far as a profile needs it. Lifetime: borrows the record.
struct Sample {
  std::uint64_t ip = 0;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::optional<std::uint64_t> time;
  std::optional<std::uint64_t> period;
  Words callchain;
  Words branches;  ///< three words an entry: from, to, flags
  std::uint64_t regs_abi = 0;
  Words regs;      ///< those of attr.regs_user, lowest bit first
  Bytes stack;     ///< from the user stack pointer up
};

/// Reads the body of a SAMPLE record in the order of perf_event.h. nullopt if it is cut or lies
/// about its counts.
std::optional<Sample> parse_sample(Bytes body, const Attr& attr, std::endian order);

/// The id of a sample's event, without reading the rest; nullopt where samples carry none.
std::optional<std::uint64_t> sample_event_id(Bytes body, const Attr& attr, std::endian order);

/// The time at the end of any other record, where attr.sample_id_all puts one.
std::optional<std::uint64_t> record_time(Bytes body, const Attr& attr, std::endian order);

/// The time of a SAMPLE record.
std::optional<std::uint64_t> sample_time(Bytes body, const Attr& attr, std::endian order);

}  // namespace hprof::formats::perf
