// SPDX-License-Identifier: Apache-2.0
#include "perf_features.h"

#include "perf_layout.h"

#include <algorithm>

namespace hprof::formats::perf {
namespace {

std::string_view until_nul(Bytes bytes) {
  const std::string_view text = as_text(bytes);
  return text.substr(0, text.find('\0'));
}

// u32 length, then that many bytes with padding zeros.
std::string take_string(ByteReader& in) {
  const std::uint32_t size = in.u32();
  return std::string{until_nul(in.take(size))};
}

std::string take_strings(ByteReader& in) {
  std::string all;
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    if (i != 0) all += ' ';
    all += take_string(in);
  }
  return all;
}

// u32 count, u32 attr size, then each: attr, u32 ids, name, ids.
void parse_events(ByteReader in, Features& out) {
  const std::uint32_t count = in.u32();
  const std::uint32_t size = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    in.skip(size);
    const std::uint32_t ids = in.u32();
    const std::string name = take_string(in);
    if (!in.ok() || ids > in.remaining() / 8) return;
    out.event_order.push_back(name);
    for (std::uint32_t id = 0; id < ids; ++id) out.event_names[in.u64()] = name;
  }
}

// A chain of records: u32 type, u16 misc, u16 size, then as parse_build_id() wants.
void parse_build_ids(Bytes section, std::endian order, Features& out) {
  ByteReader in{section, order};
  while (in.remaining() >= 8) {
    in.u32();
    const std::uint16_t misc = in.u16();
    const std::uint16_t size = in.u16();
    if (size < 8) return;
    const Bytes body = in.take(size - 8U);
    if (!in.ok()) return;
    parse_build_id(body, misc, order, out);
  }
}

}  // namespace

std::string hex_of(Bytes bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const std::byte byte : bytes) {
    out += kDigits[std::to_integer<unsigned>(byte) >> 4];
    out += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return out;
}

void parse_build_id(Bytes body, std::uint16_t misc, std::endian order, Features& out) {
  ByteReader in{body, order};
  in.u32();  // pid
  Bytes id = in.take(24);
  if (!in.ok()) return;
  // 20 bytes of SHA-1; newer perf says how many are used, older pads shorter ones with zeros.
  std::size_t size = 20;
  if ((misc & kMiscBuildIdSize) != 0) size = std::min<std::size_t>(20, std::to_integer<unsigned>(id[20]));
  id = id.first(size);
  const std::string name{until_nul(in.take(in.remaining()))};
  if (!name.empty() && std::ranges::any_of(id, [](std::byte b) { return b != std::byte{0}; })) {
    out.build_ids[name] = hex_of(id);
  }
}

void parse_feature(unsigned feature, Bytes section, std::endian order, Features& out) {
  ByteReader in{section, order};
  switch (feature) {
    case kFeatureBuildId: return parse_build_ids(section, order, out);
    case kFeatureHostname: out.hostname = take_string(in); return;
    case kFeatureOsRelease: out.os_release = take_string(in); return;
    case kFeatureVersion: out.version = take_string(in); return;
    case kFeatureArch: out.arch = take_string(in); return;
    case kFeatureCmdline: out.cmdline = take_strings(in); return;
    case kFeatureEventDesc: return parse_events(in, out);
    case kFeatureClockData: {
      in.u32();  // version
      in.u32();  // clockid
      Features::Clock clock;
      clock.wall_ns = in.u64();
      clock.perf_ns = in.u64();
      if (in.ok()) out.clock = clock;
      return;
    }
    default: return;
  }
}

}  // namespace hprof::formats::perf
