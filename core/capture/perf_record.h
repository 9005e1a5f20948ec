// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>
#include <hprof/core/capture/unwinder.h>

#include <span>
#include <string_view>
#include <variant>

namespace hprof {

/// Registers asked for with each sample: all general ones, which unwind tables may name.
std::uint64_t perf_register_mask();
/// What each of our samples holds, and in part each other record. Source: perf_event_open(2).
std::uint64_t perf_sample_type(bool with_user_stack);

/// Addresses of a kernel callchain, leaf first; borrowed.
class KernelChain {
 public:
  KernelChain() = default;
  explicit KernelChain(Bytes addresses) : bytes_(addresses) {}
  [[nodiscard]] std::size_t size() const { return bytes_.size() / 8; }
  [[nodiscard]] std::uint64_t operator[](std::size_t i) const {
    return load<std::uint64_t>(bytes_, i * 8);
  }

 private:
  Bytes bytes_;
};

struct SampleRecord {
  std::uint64_t id = 0;
  int pid = 0;
  int tid = 0;
  std::uint64_t period = 0;
  KernelChain kernel;
  bool has_user_registers = false;  ///< false for kernel threads and 32-bit code
  bool is_32_bit = false;
  UserRegisters registers;
  StackCopy stack;
};
struct MmapRecord {
  int pid = 0;
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::uint64_t file_offset = 0;
  std::uint32_t device_major = 0;
  std::uint32_t device_minor = 0;
  std::uint64_t inode = 0;
  bool executable = false;
  std::string_view path;
};
struct CommRecord {
  int pid = 0;
  int tid = 0;
  bool is_exec = false;
  std::string_view name;
};
struct TaskRecord {
  bool is_exit = false;
  int pid = 0;
  int parent_pid = 0;
  int tid = 0;
  int parent_tid = 0;
};
struct LostRecord {
  std::uint64_t count = 0;
};
struct ThrottleRecord {};
struct OtherRecord {};

using PerfRecord = std::variant<OtherRecord, SampleRecord, MmapRecord, CommRecord, TaskRecord,
                                LostRecord, ThrottleRecord>;

/// The time of a record in ns of the session clock, or 0 if it has none.
/// `record` begins with its perf_event_header and ends where that says.
std::uint64_t perf_record_time(Bytes record);

/// Decodes one record of an event opened with perf_sample_type() and sample_id_all.
/// What does not follow the format is an OtherRecord. Lifetime: views borrow `record`.
/// Source: perf_event_open(2), "MMAP layout".
PerfRecord decode_perf_record(Bytes record, bool with_user_stack = true);

}  // namespace hprof
