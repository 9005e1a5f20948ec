// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/capture/perf_event.h"
#include "core/capture/perf_record.h"
#include "core/capture/perf_ring.h"
#include "core/capture/perf_rings.h"

#include <string>

using namespace hprof;

namespace {

/// Bytes of a record, written field by field.
struct RecordBytes {
  std::string bytes = std::string(8, '\0');

  template <typename T>
  RecordBytes& put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  RecordBytes& text(std::string_view s) {
    bytes.append(s);
    bytes.append(8 - s.size() % 8, '\0');
    return *this;
  }
  /// What the kernel puts behind every record but samples.
  RecordBytes& trailer(std::uint64_t time) {
    return put<std::uint32_t>(1).put<std::uint32_t>(1).put(time).put<std::uint64_t>(0).put(
        std::uint64_t{77});
  }
  std::string with_header(std::uint32_t type, std::uint16_t misc = 0) {
    const auto size = static_cast<std::uint16_t>(bytes.size());
    memcpy(bytes.data(), &type, 4);
    memcpy(bytes.data() + 4, &misc, 2);
    memcpy(bytes.data() + 6, &size, 2);
    return bytes;
  }
};

std::string sample(std::uint64_t time, std::uint64_t abi = 2) {
  RecordBytes r;
  r.put<std::uint64_t>(77).put<std::uint32_t>(10).put<std::uint32_t>(11).put(time);
  r.put<std::uint64_t>(0).put<std::uint64_t>(1000);
  r.put<std::uint64_t>(5);
  r.put(static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL));
  r.put<std::uint64_t>(0xffffffff81000010).put<std::uint64_t>(0xffffffff81000020);
  r.put(static_cast<std::uint64_t>(PERF_CONTEXT_USER)).put<std::uint64_t>(0x4000);
  r.put(abi);
  if (abi != 0) {
    for (std::uint64_t i = 0; i < UserRegisters::kCount; ++i) r.put(100 + i);
  }
  r.put<std::uint64_t>(16).text("0123456").text("89abcde").put<std::uint64_t>(12);
  return r.with_header(PERF_RECORD_SAMPLE);
}

template <typename T>
T decode(const std::string& bytes) {
  const PerfRecord record = decode_perf_record(as_bytes(bytes));
  REQUIRE(std::holds_alternative<T>(record));
  return std::get<T>(record);
}

/// A ring without a kernel: a shared file laid out like one.
struct FakeRing {
  FakeRing() : fd(::memfd_create("ring", MFD_CLOEXEC)) {
    REQUIRE(::ftruncate(fd.get(), static_cast<off_t>(page + size)) == 0);
    base = static_cast<std::byte*>(
        ::mmap(nullptr, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0));
  }
  ~FakeRing() { ::munmap(base, page + size); }
  perf_event_mmap_page* control() { return reinterpret_cast<perf_event_mmap_page*>(base); }
  void write(const std::string& record) {
    for (const char c : record) {
      base[page + control()->data_head % size] = static_cast<std::byte>(c);
      ++control()->data_head;
    }
  }

  std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t size = 4096;
  UniqueFd fd;
  std::byte* base = nullptr;
};

}  // namespace

TEST_CASE("a sample gives thread, weight, kernel frames, registers and stack") {
  const std::string bytes = sample(4711);
  const auto s = decode<SampleRecord>(bytes);
  CHECK(perf_record_time(as_bytes(bytes)) == 4711);
  CHECK(s.id == 77);
  CHECK(s.pid == 10);
  CHECK(s.tid == 11);
  CHECK(s.period == 1000);
  REQUIRE(s.kernel.size() == 2);
  CHECK(s.kernel[0] == 0xffffffff81000010);
  CHECK(s.kernel[1] == 0xffffffff81000020);
  CHECK(s.has_user_registers);
  CHECK_FALSE(s.is_32_bit);
#if defined(__x86_64__)
  // The kernel's order: ax bx cx dx si di bp sp ip ... r8 .. r15
  CHECK(s.registers.value[0] == 100);
  CHECK(s.registers.value[3] == 101);
  CHECK(s.registers.value[1] == 103);
  CHECK(s.registers.value[6] == 106);
  CHECK(s.registers.sp() == 107);
  CHECK(s.registers.pc() == 108);
  CHECK(s.registers.value[8] == 109);
  CHECK(s.registers.value[15] == 116);
#endif
  CHECK(s.stack.address == s.registers.sp());
  CHECK(as_text(s.stack.bytes) == std::string_view("0123456\00089ab", 12));
}

TEST_CASE("kernel threads have no registers, 32-bit code says so") {
  CHECK_FALSE(decode<SampleRecord>(sample(1, 0)).has_user_registers);
  CHECK(decode<SampleRecord>(sample(1, 1)).is_32_bit);
}

TEST_CASE("records beside samples are decoded") {
  RecordBytes map;
  map.put<std::uint32_t>(10).put<std::uint32_t>(11).put<std::uint64_t>(0x7000).put<std::uint64_t>(
      0x2000);
  map.put<std::uint64_t>(0x1000).put<std::uint32_t>(8).put<std::uint32_t>(1);
  map.put<std::uint64_t>(42).put<std::uint64_t>(0).put<std::uint32_t>(5).put<std::uint32_t>(2);
  map.text("/lib/x.so").trailer(99);
  const std::string map_bytes = map.with_header(PERF_RECORD_MMAP2);
  const auto m = decode<MmapRecord>(map_bytes);
  CHECK(m.pid == 10);
  CHECK(m.start == 0x7000);
  CHECK(m.size == 0x2000);
  CHECK(m.file_offset == 0x1000);
  CHECK(m.device_major == 8);
  CHECK(m.device_minor == 1);
  CHECK(m.inode == 42);
  CHECK(m.executable);
  CHECK(m.path == "/lib/x.so");
  CHECK(perf_record_time(as_bytes(map_bytes)) == 99);

  const std::string comm_bytes = RecordBytes{}.put(10).put(11).text("name").trailer(1).with_header(
      PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
  const auto comm = decode<CommRecord>(comm_bytes);
  CHECK(comm.tid == 11);
  CHECK(comm.is_exec);
  CHECK(comm.name == "name");

  const auto fork = decode<TaskRecord>(RecordBytes{}.put(10).put(5).put(11).put(6).put(
      std::uint64_t{1}).trailer(1).with_header(PERF_RECORD_FORK));
  CHECK(fork.pid == 10);
  CHECK(fork.parent_pid == 5);
  CHECK(fork.tid == 11);
  CHECK(fork.parent_tid == 6);
  CHECK_FALSE(fork.is_exit);
  CHECK(decode<LostRecord>(RecordBytes{}.put(std::uint64_t{1}).put(std::uint64_t{9}).trailer(1)
                               .with_header(PERF_RECORD_LOST)).count == 9);
  CHECK(decode<LostRecord>(RecordBytes{}.put(std::uint64_t{3}).trailer(1)
                               .with_header(PERF_RECORD_LOST_SAMPLES)).count == 3);
  decode<ThrottleRecord>(RecordBytes{}.with_header(PERF_RECORD_THROTTLE));
}

TEST_CASE("every cut of a record is refused, never read beyond") {
  const std::string whole = sample(1);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // The header claims the cut size, so that the bodies are what lies.
    std::string cut = whole.substr(0, size);
    if (size >= 8) {
      const auto claimed = static_cast<std::uint16_t>(size);
      memcpy(cut.data() + 6, &claimed, 2);
    }
    CHECK(std::holds_alternative<OtherRecord>(decode_perf_record(as_bytes(cut))));
  }
}

TEST_CASE("a mapping that wraps around the address space is refused") {
  RecordBytes map;
  map.put(1).put(1).put(~std::uint64_t{0xfff}).put(std::uint64_t{0x10000});
  map.put(std::uint64_t{0}).put(0).put(0).put(std::uint64_t{0}).put(std::uint64_t{0}).put(5).put(2);
  const std::string bytes = map.text("/x").trailer(1).with_header(PERF_RECORD_MMAP2);
  CHECK(std::holds_alternative<OtherRecord>(decode_perf_record(as_bytes(bytes))));
}

TEST_CASE("a ring gives its records in order, also one that runs over its end") {
  FakeRing fake;
  Result<PerfRing> ring = PerfRing::map(fake.fd.get(), fake.size);
  REQUIRE(ring);
  for (std::uint64_t i = 0; i < 100; ++i) {
    fake.write(sample(i));
    ring->refresh();
    const Bytes front = ring->front();
    REQUIRE(front.size() == sample(i).size());
    CHECK(perf_record_time(front) == i);
    CHECK(as_text(front) == sample(i));
    ring->pop();
    CHECK(ring->front().empty());
    ring->release();
    CHECK(fake.control()->data_tail == fake.control()->data_head);
  }
}

TEST_CASE("a ring with nonsense in it is skipped, not believed") {
  FakeRing fake;
  Result<PerfRing> ring = PerfRing::map(fake.fd.get(), fake.size);
  REQUIRE(ring);
  fake.write(std::string(64, '\0'));
  ring->refresh();
  CHECK(ring->front().empty());
  fake.write(std::string(64, '\xff'));
  ring->refresh();
  CHECK(ring->front().empty());
  fake.write(sample(5));
  ring->refresh();
  CHECK(perf_record_time(ring->front()) == 5);
}

TEST_CASE("the size of rings follows rate and stack size, within limits") {
  CHECK(choose_ring_bytes(99, 16384, 0.3) == 512 * 1024);
  CHECK(choose_ring_bytes(1, 0, 0.3) == 128 * 1024);
  CHECK(choose_ring_bytes(100000, 65528, 1) == 8 * 1024 * 1024);
}

TEST_CASE("rings wake their reader with every sample, up to some hundred a second") {
  CHECK(choose_wakeup_bytes(99, 65528) == 1);
  CHECK(choose_wakeup_bytes(250, 16384) == 1);
  CHECK(choose_wakeup_bytes(500, 16384) > 16384);
  CHECK(choose_wakeup_bytes(100000, 65528) <= 64 * 1024);
}

TEST_CASE("lists of CPUs are ranges and single numbers") {
  CHECK(parse_cpu_list("0-3,8\n") == std::vector{0, 1, 2, 3, 8});
  CHECK(parse_cpu_list("0") == std::vector{0});
  CHECK(parse_cpu_list("").empty());
  CHECK(parse_cpu_list("x,5-4,7").size() == 1);
  CHECK(parse_cpu_list("0-99999999").empty());
}
