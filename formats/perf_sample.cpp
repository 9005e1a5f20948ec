// SPDX-License-Identifier: Apache-2.0
#include "perf_sample.h"

#include "perf_layout.h"

#include <bit>

namespace hprof::formats::perf {
namespace {

// Skips what PERF_SAMPLE_READ put in. Group: nr, [enabled], [running], nr x {value, [id], [lost]}.
void skip_read(ByteReader& in, std::uint64_t format) {
  const unsigned times = ((format & kReadEnabled) != 0 ? 1 : 0) + ((format & kReadRunning) != 0 ? 1 : 0);
  const std::uint64_t each =
      1 + ((format & kReadId) != 0 ? 1 : 0) + ((format & kReadLost) != 0 ? 1 : 0);
  if ((format & kReadGroup) == 0) {
    in.skip((each + times) * 8);
    return;
  }
  const std::uint64_t count = in.u64();
  if (count > in.remaining() / 8) return in.fail();
  in.skip((times + count * each) * 8);
}

Words take_words(ByteReader& in, std::uint64_t count, std::endian order) {
  if (count > in.remaining() / 8) return in.fail(), Words{};
  return {in.take(count * 8), order};
}

void take_branches(ByteReader& in, const Attr& attr, Sample& sample, std::endian order) {
  const std::uint64_t count = in.u64();
  if ((attr.branch_type & kBranchHwIndex) != 0) in.skip(8);
  if (count > in.remaining() / 24) return in.fail();
  sample.branches = take_words(in, count * 3, order);
}

void take_user_state(ByteReader& in, const Attr& attr, Sample& sample, std::endian order) {
  if ((attr.sample_type & kRegsUser) != 0) {
    sample.regs_abi = in.u64();
    if (sample.regs_abi != 0) {
      sample.regs = take_words(in, static_cast<unsigned>(std::popcount(attr.regs_user)), order);
    }
  }
  if ((attr.sample_type & kStackUser) == 0) return;
  const std::uint64_t size = in.u64();
  if (size == 0) return;
  const Bytes stack = in.take(size);
  const std::uint64_t used = in.u64();  // the kernel copied this much, the rest is padding
  if (in.ok()) sample.stack = stack.first(used < stack.size() ? used : stack.size());
}

// How many bytes stand before TIME in a sample.
std::size_t time_offset(std::uint64_t type) {
  std::size_t at = 0;
  for (const std::uint64_t bit : {std::uint64_t{kIdentifier}, std::uint64_t{kIp}, std::uint64_t{kTid}}) {
    if ((type & bit) != 0) at += 8;
  }
  return at;
}

std::uint64_t word_at(Bytes body, std::size_t at, std::endian order) {
  const auto value = load<std::uint64_t>(body, at);
  return order == std::endian::native ? value : byteswap(value);
}

}  // namespace

std::optional<Sample> parse_sample(Bytes body, const Attr& attr, std::endian order) {
  ByteReader in{body, order};
  const std::uint64_t type = attr.sample_type;
  const auto has = [type](std::uint64_t bit) { return (type & bit) != 0; };
  Sample sample;
  if (has(kIdentifier)) in.u64();
  if (has(kIp)) sample.ip = in.u64();
  if (has(kTid)) {
    sample.pid = static_cast<std::int32_t>(in.u32());
    sample.tid = static_cast<std::int32_t>(in.u32());
  }
  if (has(kTime)) sample.time = in.u64();
  if (has(kAddr)) in.u64();
  if (has(kId)) in.u64();
  if (has(kStreamId)) in.u64();
  if (has(kCpu)) in.u64();
  if (has(kPeriod)) sample.period = in.u64();
  if (has(kRead)) skip_read(in, attr.read_format);
  if (has(kCallchain)) sample.callchain = take_words(in, in.u64(), order);
  if (has(kRaw)) in.skip(in.u32());
  if (has(kBranchStack)) take_branches(in, attr, sample, order);
  if (has(kRegsUser | kStackUser)) take_user_state(in, attr, sample, order);
  // Weights, data sources and what newer kernels append are of no use here.
  if (!in.ok()) return std::nullopt;
  return sample;
}

std::optional<std::uint64_t> sample_event_id(Bytes body, const Attr& attr, std::endian order) {
  const std::uint64_t type = attr.sample_type;
  if ((type & kIdentifier) != 0) return word_at(body, 0, order);
  if ((type & kId) == 0) return std::nullopt;
  std::size_t at = time_offset(type);
  if ((type & kTime) != 0) at += 8;
  if ((type & kAddr) != 0) at += 8;
  return word_at(body, at, order);
}

std::optional<std::uint64_t> sample_time(Bytes body, const Attr& attr, std::endian order) {
  if ((attr.sample_type & kTime) == 0) return std::nullopt;
  return word_at(body, time_offset(attr.sample_type), order);
}

std::optional<std::uint64_t> record_time(Bytes body, const Attr& attr, std::endian order) {
  if (!attr.sample_id_all || (attr.sample_type & kTime) == 0) return std::nullopt;
  // The trailer: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER, eight bytes each, as far as asked for.
  std::size_t behind = 8;
  for (const std::uint64_t bit : {std::uint64_t{kId}, std::uint64_t{kStreamId}, std::uint64_t{kCpu},
                                  std::uint64_t{kIdentifier}}) {
    if ((attr.sample_type & bit) != 0) behind += 8;
  }
  if (behind > body.size()) return std::nullopt;
  return word_at(body, body.size() - behind, order);
}

}  // namespace hprof::formats::perf
