// SPDX-License-Identifier: Apache-2.0
#include "perf_record.h"

#include <linux/perf_event.h>

#include <array>
#include <bit>

namespace hprof {
namespace {

constexpr std::size_t kHeaderSize = 8;
// Behind every record but a sample: pid, tid u32 | time u64 | cpu, 0 u32 | id u64
constexpr std::size_t kTrailerSize = 32;
constexpr std::size_t kTimeFromEnd = 24;
// In a sample: header | id u64 | pid, tid u32 | time u64
constexpr std::size_t kTimeInSample = 24;
constexpr std::uint64_t kMaxContext = ~std::uint64_t{4095} + 1;  // PERF_CONTEXT_MAX and above

#if defined(__aarch64__)
constexpr std::uint64_t kRegisterMask = (std::uint64_t{1} << 33) - 1;
constexpr std::array<std::uint8_t, 64> make_dwarf_numbers() {
  std::array<std::uint8_t, 64> out{};
  for (std::uint8_t i = 0; i < 64; ++i) out[i] = i;
  return out;
}
constexpr std::array<std::uint8_t, 64> kDwarfNumber = make_dwarf_numbers();
#else
// asm/perf_regs.h: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 .. r15
constexpr std::uint64_t kRegisterMask = 0xff01ff;
constexpr std::array<std::uint8_t, 24> kDwarfNumber{0, 3, 2, 1, 4,  5,  6,  7,  16, 0,  0,  0,
                                                    0, 0, 0, 0, 8,  9,  10, 11, 12, 13, 14, 15};
#endif

struct Header {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::uint16_t size = 0;
};

Header read_header(ByteReader& in) {
  Header header;
  header.type = in.u32();
  header.misc = in.u16();
  header.size = in.u16();
  return header;
}

int read_id(ByteReader& in) { return static_cast<int>(in.u32()); }

/// The kernel part of a callchain: what stands between its marker and the next one.
KernelChain kernel_part(Bytes chain) {
  std::size_t first = 0;
  std::size_t count = 0;
  bool in_kernel = false;
  for (std::size_t i = 0; i < chain.size() / 8; ++i) {
    const auto address = load<std::uint64_t>(chain, i * 8);
    if (address >= kMaxContext) {
      if (in_kernel) break;
      in_kernel = address == PERF_CONTEXT_KERNEL;
      first = i + 1;
    } else if (in_kernel) {
      ++count;
    }
  }
  return KernelChain{chain.subspan(in_kernel ? first * 8 : 0, count * 8)};
}

// abi u64 | one u64 for each bit of the mask, unless abi is 0
void read_registers(ByteReader& in, SampleRecord& sample) {
  const std::uint64_t abi = in.u64();
  if (abi == PERF_SAMPLE_REGS_ABI_NONE) return;
  for (std::uint64_t left = kRegisterMask; left != 0; left &= left - 1) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(left));
    sample.registers.value[kDwarfNumber[bit]] = in.u64();
  }
  sample.has_user_registers = true;
  sample.is_32_bit = abi == PERF_SAMPLE_REGS_ABI_32;
}

// size u64 | bytes | used u64, the last only where size is not 0
void read_stack(ByteReader& in, SampleRecord& sample) {
  const std::uint64_t size = in.u64();
  if (size == 0) return;
  const Bytes bytes = in.take(size);
  const std::uint64_t used = in.u64();
  if (!in.ok()) return;
  sample.stack.address = sample.registers.sp();
  sample.stack.bytes = bytes.first(std::min<std::size_t>(used, bytes.size()));
}

// id u64 | pid, tid u32 | time u64 | cpu, 0 u32 | period u64 | n u64, n addresses | regs | stack
PerfRecord decode_sample(ByteReader& in, bool with_user_stack) {
  SampleRecord sample;
  sample.id = in.u64();
  sample.pid = read_id(in);
  sample.tid = read_id(in);
  in.skip(16);
  sample.period = in.u64();
  const std::uint64_t chain_size = in.u64();
  if (chain_size > in.remaining() / 8) return OtherRecord{};
  sample.kernel = kernel_part(in.take(chain_size * 8));
  if (with_user_stack) {
    read_registers(in, sample);
    read_stack(in, sample);
  }
  if (!in.ok()) return OtherRecord{};
  return sample;
}

// pid, tid u32 | start, length, offset u64 | major, minor u32 | inode, generation u64
// | prot, flags u32 | path, NUL, padding
PerfRecord decode_mmap2(ByteReader& in) {
  MmapRecord map;
  map.pid = read_id(in);
  in.skip(4);
  map.start = in.u64();
  map.size = in.u64();
  map.file_offset = in.u64();
  map.device_major = in.u32();
  map.device_minor = in.u32();
  map.inode = in.u64();
  in.skip(8);
  map.executable = (in.u32() & 4) != 0;  // PROT_EXEC
  in.skip(4);
  map.path = in.c_string();
  if (!in.ok() || map.size > ~std::uint64_t{0} - map.start) return OtherRecord{};
  return map;
}

PerfRecord decode_comm(ByteReader& in, bool is_exec) {
  CommRecord comm;
  comm.is_exec = is_exec;
  comm.pid = read_id(in);
  comm.tid = read_id(in);
  comm.name = in.c_string();
  if (!in.ok()) return OtherRecord{};
  return comm;
}

// pid, ppid u32 | tid, ptid u32 | time u64
PerfRecord decode_task(ByteReader& in, bool is_exit) {
  TaskRecord task;
  task.is_exit = is_exit;
  task.pid = read_id(in);
  task.parent_pid = read_id(in);
  task.tid = read_id(in);
  task.parent_tid = read_id(in);
  if (!in.ok()) return OtherRecord{};
  return task;
}

}  // namespace

std::uint64_t perf_register_mask() { return kRegisterMask; }

std::uint64_t perf_sample_type(bool with_user_stack) {
  std::uint64_t type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
  if (with_user_stack) type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  return type;
}

std::uint64_t perf_record_time(Bytes record) {
  if (load<std::uint32_t>(record, 0) == PERF_RECORD_SAMPLE) {
    return load<std::uint64_t>(record, kTimeInSample);
  }
  if (record.size() < kHeaderSize + kTrailerSize) return 0;
  return load<std::uint64_t>(record, record.size() - kTimeFromEnd);
}

PerfRecord decode_perf_record(Bytes record, bool with_user_stack) {
  ByteReader in{record, std::endian::native};
  const Header header = read_header(in);
  if (!in.ok() || header.size != record.size()) return OtherRecord{};
  switch (header.type) {
    case PERF_RECORD_SAMPLE:
      return decode_sample(in, with_user_stack);
    case PERF_RECORD_MMAP2:
      return decode_mmap2(in);
    case PERF_RECORD_COMM:
      return decode_comm(in, (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0);
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      return decode_task(in, header.type == PERF_RECORD_EXIT);
    case PERF_RECORD_LOST: {
      in.skip(8);
      const LostRecord lost{in.u64()};
      return in.ok() ? PerfRecord{lost} : PerfRecord{OtherRecord{}};
    }
    case PERF_RECORD_LOST_SAMPLES: {
      const LostRecord lost{in.u64()};
      return in.ok() ? PerfRecord{lost} : PerfRecord{OtherRecord{}};
    }
    case PERF_RECORD_THROTTLE:
      return ThrottleRecord{};
    default:
      return OtherRecord{};
  }
}

}  // namespace hprof
