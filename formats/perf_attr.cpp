// SPDX-License-Identifier: Apache-2.0
#include "perf_attr.h"

#include <fmt/format.h>

#include <array>

namespace hprof::formats::perf {
namespace {

constexpr std::array<std::string_view, 10> kHardware{
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
constexpr std::array<std::string_view, 12> kSoftware{
    "cpu-clock",    "task-clock",   "page-faults",      "context-switches", "cpu-migrations",
    "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
    "bpf-output",   "cgroup-switches"};

enum Type : std::uint32_t { kHardwareType, kSoftwareType, kTracepoint, kCache, kRaw, kBreakpoint };

constexpr std::size_t kOldestSize = 64;  // PERF_ATTR_SIZE_VER0

// The flags are a C bit field: on big-endian machines its bits go from the top of each byte.
std::uint64_t flag_bits(Bytes raw, std::endian order) {
  std::uint64_t flags = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const auto byte = std::to_integer<unsigned>(raw[bit / 8]);
    const unsigned in_byte = order == std::endian::little ? bit % 8 : 7 - bit % 8;
    flags |= std::uint64_t{(byte >> in_byte) & 1} << bit;
  }
  return flags;
}

}  // namespace

std::size_t attr_size(Bytes bytes, std::endian order) {
  ByteReader in{bytes, order};
  in.u32();
  const std::uint32_t size = in.u32();
  if (!in.ok()) return 0;
  return size == 0 ? kOldestSize : size;
}

std::optional<Attr> parse_attr(Bytes bytes, std::endian order) {
  if (bytes.size() < kOldestSize) return std::nullopt;
  ByteReader in{bytes, order};
  Attr attr;
  attr.type = in.u32();
  in.u32();  // size
  attr.config = in.u64();
  attr.period = in.u64();
  attr.sample_type = in.u64();
  attr.read_format = in.u64();
  const std::uint64_t flags = flag_bits(in.take(8), order);
  attr.freq = (flags >> 10 & 1) != 0;
  attr.sample_id_all = (flags >> 18 & 1) != 0;
  in.skip(4 + 4 + 8 + 8);  // wakeup, bp_type, config1, config2: old attrs end in here
  attr.branch_type = in.u64();
  attr.regs_user = in.u64();
  return attr;
}

std::string Attr::display_name() const {
  if (!name.empty()) return name;
  switch (type) {
    case kHardwareType:
      if ((config & 0xff) < kHardware.size()) return std::string{kHardware[config & 0xff]};
      break;
    case kSoftwareType:
      if (config < kSoftware.size()) return std::string{kSoftware[config]};
      break;
    case kTracepoint: return fmt::format("tracepoint-{}", config);
    case kCache: return fmt::format("cache-{:#x}", config);
    case kRaw: return fmt::format("r{:x}", config);
    case kBreakpoint: return "breakpoint";
    default: break;
  }
  return fmt::format("event-{}-{:#x}", type, config);
}

}  // namespace hprof::formats::perf
