// SPDX-License-Identifier: Apache-2.0
// The writer of perf.data files behind the reader's tests (named *_test.cpp to be compiled there).
#include "perf_data_maker.h"

#include <algorithm>

namespace hprof::test {

std::string PerfDataMaker::record(std::uint32_t type, std::uint16_t misc, std::string_view body) const {
  return pack().u32(type).u16(misc).u16(static_cast<std::uint16_t>(body.size() + 8)).text(body).bytes();
}

std::string PerfDataMaker::attr(const Event& event) const {
  std::uint64_t flags = 0;
  if (event.freq) flags |= 1U << 10;
  if (event.sample_id_all) flags |= 1U << 18;
  std::string bits(8, '\0');
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((flags >> bit & 1) == 0) continue;
    bits[bit / 8] = static_cast<char>(bits[bit / 8] | (order == std::endian::little ? 1 << bit % 8 : 128 >> bit % 8));
  }
  return pack()
      .u32(event.type).u32(112).u64(event.config).u64(event.period).u64(event.sample_type).u64(0)
      .text(bits).u32(0).u32(0).u64(0).u64(0).u64(event.branch_type).u64(event.regs_user)
      .u32(0).u32(0).u64(0).u32(0).u32(0).bytes();
}

std::string PerfDataMaker::file(std::string_view magic) const {
  std::string signature{magic};
  if (order != std::endian::little && magic == "PERFILE2") std::ranges::reverse(signature);
  // header | ids of all events | attrs | data | feature table | features
  Packer ids = pack();
  Packer attrs = pack();
  for (const Event& event : events) {
    attrs.text(attr(event)).u64(104 + ids.size()).u64(event.ids.size() * 8);
    for (const std::uint64_t id : event.ids) ids.u64(id);
  }
  const std::uint64_t attrs_at = 104 + ids.size();
  const std::uint64_t data_at = attrs_at + attrs.size();
  std::uint64_t bits[4] = {};
  Packer table = pack();
  std::string contents;
  const std::uint64_t contents_at = data_at + data.size() + features.size() * 16;
  for (const auto& [feature, body] : features) {
    bits[feature / 64] |= std::uint64_t{1} << feature % 64;
    table.u64(contents_at + contents.size()).u64(body.size());
    contents += body;
  }
  return signature + pack()
      .u64(104).u64(128).u64(attrs_at).u64(attrs.size()).u64(data_at).u64(data.size()).u64(0).u64(0)
      .u64(bits[0]).u64(bits[1]).u64(bits[2]).u64(bits[3]).bytes() +
      ids.bytes() + attrs.bytes() + data + table.bytes() + contents;
}

std::string PerfDataMaker::pipe() const {
  std::string out = order == std::endian::little ? "PERFILE2" : "2ELIFREP";
  out += pack().u64(16).bytes();
  for (const Event& event : events) {
    Packer body = pack();
    body.text(attr(event));
    for (const std::uint64_t id : event.ids) body.u64(id);
    out += record(64, 0, body.bytes());
  }
  for (const auto& [feature, body] : features) out += record(80, 0, pack().u64(feature).text(body).bytes());
  return out + data;
}

}  // namespace hprof::test
