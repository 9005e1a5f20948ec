// SPDX-License-Identifier: Apache-2.0
#include "formats/perf_data.h"

#include "corpus_support.h"
#include "formats/perf_layout.h"
#include "perf_data_maker.h"

#include <doctest/doctest.h>
#include <zstd.h>

using namespace hprof;
using namespace hprof::formats;
using namespace hprof::test;
using namespace hprof::formats::perf;

namespace {

constexpr std::uint64_t kUsual = kIp | kTid | kTime | kPeriod | kCallchain;
constexpr std::uint64_t kKernelMark = ~std::uint64_t{0} - 127;
constexpr std::uint64_t kUserMark = ~std::uint64_t{0} - 511;

Result<Profile> read(std::string_view bytes, const ReadOptions& options = {}, std::size_t chunk = 61) {
  MemorySource source{as_bytes(bytes), chunk};
  return read_perf_data(source, options);
}

std::string trailer(const PerfDataMaker& m, std::uint64_t time) {
  return m.pack().u32(1).u32(1).u64(time).bytes();
}

void add_mmap(PerfDataMaker& m, std::uint32_t pid, std::uint64_t start, std::uint64_t size,
              std::uint64_t offset, std::string_view path, std::uint64_t time = 0, std::uint16_t misc = 2) {
  m.add(kMmap, misc,
        m.pack().u32(pid).u32(pid).u64(start).u64(size).u64(offset).padded(path).text(trailer(m, time)).bytes());
}

void add_comm(PerfDataMaker& m, std::uint32_t pid, std::uint32_t tid, std::string_view name,
              std::uint64_t time = 0, std::uint16_t misc = 0) {
  m.add(kComm, misc, m.pack().u32(pid).u32(tid).padded(name).text(trailer(m, time)).bytes());
}

void add_sample(PerfDataMaker& m, std::uint32_t pid, std::uint32_t tid, std::uint64_t time,
                std::uint64_t period, const std::vector<std::uint64_t>& chain, std::uint16_t misc = 2) {
  Packer body = m.pack();
  body.u64(chain.empty() ? 0x1005 : chain.back()).u32(pid).u32(tid).u64(time).u64(period).u64(chain.size());
  for (const std::uint64_t ip : chain) body.u64(ip);
  m.add(kSample, misc, body.bytes());
}

PerfDataMaker usual(std::endian order) {
  PerfDataMaker m{order};
  m.events.push_back({.type = 0, .config = 0, .sample_type = kUsual, .freq = true, .ids = {7}});
  add_mmap(m, 0xffffffff, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text", 0, 1);
  add_mmap(m, 10, 0x1000, 0x1000, 0x500, "/bin/app");
  add_comm(m, 10, 11, "worker");
  add_sample(m, 10, 11, 5'000, 3, {kUserMark, 0x1010, 0x1021});
  add_sample(m, 10, 11, 9'000, 4, {kKernelMark, 0xffffffff81000100, kUserMark, 0x1010, 0x1021}, 1);
  m.features.emplace_back(kFeatureBuildId,
                          m.record(67, 0, m.pack().u32(10).text(std::string(20, '\xab')).u32(0).padded("/bin/app").bytes()));
  m.features.emplace_back(kFeatureHostname, m.pack().u32(4).padded("box").bytes());
  return m;
}

std::vector<std::string> types(const Profile& p) {
  std::vector<std::string> out;
  for (const ValueType& type : p.sample_types()) {
    out.push_back(std::string{p.string(type.type)} + "/" + std::string{p.string(type.unit)});
  }
  return out;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("perf.data: files and pipes of both byte orders give the same profile") {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const PerfDataMaker m = usual(order);
    for (const bool piped : {false, true}) {
      PerfDataMaker copy = m;
      if (piped) copy.features.erase(copy.features.begin());
      const std::string bytes = piped ? copy.pipe() : copy.file();
      const auto p = read(bytes);
      REQUIRE_MESSAGE(p, p.error().message);
      CHECK(types(*p) == Names{"samples/count", "cycles/count"});
      CHECK(fold(*p, 0) == Folded{{"[app+0x520];[app+0x510]", 1},
                                  {"[app+0x520];[app+0x510];[kernel.kallsyms+0x100]", 1}});
      CHECK(p->total(1) == 7);
      CHECK(p->header.duration_nanos == 4000);
      const auto labels = p->labels(p->sample_labels(0));
      REQUIRE(labels.size() == 3);
      CHECK(p->string(labels[0].text) == "worker");
      CHECK(labels[1].number == 11);
      CHECK(labels[2].number == 10);
      REQUIRE(p->header.comments.size() == 1);
      CHECK(p->string(p->header.comments[0]) == "perf: hostname: box");
      if (!piped) {
        const Mapping& app = p->mapping(p->location(p->stack(p->sample_stack(0)).location).mapping);
        CHECK(p->string(app.build_id) == "abababababababababababababababababababab");
      }
    }
  }
}

TEST_CASE("perf.data: version 1 files read like later ones") {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const auto p = read(usual(order).file("PERFFILE"));
    REQUIRE_MESSAGE(p, p.error().message);
    CHECK(p->total(0) == 2);
  }
}

TEST_CASE("perf.data: records apply in the order of time, across the rounds of the buffers") {
  PerfDataMaker m;
  m.events.push_back({.sample_type = kUsual, .ids = {7}});
  // The sample at 300 was written before the mapping at 200 it needs, as two CPUs' buffers do.
  add_sample(m, 10, 10, 300, 1, {kUserMark, 0x1010});
  add_mmap(m, 10, 0x1000, 0x1000, 0, "/bin/late", 200);
  add_comm(m, 10, 10, "named", 250);
  m.add(kFinishedRound, 0, "");
  add_sample(m, 10, 10, 290, 1, {kUserMark, 0x1010});
  m.add(kFinishedRound, 0, "");
  const auto p = read(m.file());
  REQUIRE(p);
  CHECK(fold(*p, 0) == Folded{{"[late+0x10]", 2}});
  CHECK(p->string(p->labels(p->sample_labels(0))[0].text) == "named");
}

TEST_CASE("perf.data: fork copies mappings and the name, exec drops both") {
  PerfDataMaker m;
  m.events.push_back({.sample_type = kUsual, .ids = {7}});
  add_mmap(m, 10, 0x1000, 0x1000, 0, "/bin/parent", 100);
  add_comm(m, 10, 10, "parent", 100);
  m.add(kFork, 0, m.pack().u32(20).u32(10).u32(20).u32(10).u64(110).text(trailer(m, 110)).bytes());
  add_sample(m, 20, 20, 120, 1, {kUserMark, 0x1010});
  add_comm(m, 20, 20, "child", 130, kMiscCommExec);
  add_mmap(m, 20, 0x1000, 0x1000, 0, "/bin/child", 140);
  add_sample(m, 20, 20, 150, 1, {kUserMark, 0x1010});
  add_sample(m, 10, 10, 160, 1, {kUserMark, 0x1010});
  const auto p = read(m.file());
  REQUIRE(p);
  REQUIRE(p->sample_count() == 3);
  const auto name = [&](std::uint32_t row) { return p->string(p->labels(p->sample_labels(row))[0].text); };
  CHECK(name(0) == "parent");
  CHECK(name(1) == "child");
  CHECK(fold(*p, 0) == Folded{{"[parent+0x10]", 2}, {"[child+0x10]", 1}});
}

TEST_CASE("perf.data: each event with samples is a sample type, found by its id") {
  PerfDataMaker m;
  const std::uint64_t type = kIdentifier | kIp | kTid | kTime;
  m.events.push_back({.type = 0, .config = 0, .sample_type = type, .ids = {70, 71}});
  m.events.push_back({.type = 1, .config = 0, .period = 10, .sample_type = type, .ids = {80}});
  m.events.push_back({.type = 1, .config = 9, .sample_type = type, .ids = {90}});  // dummy
  const auto sample = [&](std::uint64_t id, std::uint64_t time) {
    m.add(kSample, 2, m.pack().u64(id).u64(0x1000).u32(1).u32(1).u64(time).bytes());
  };
  sample(70, 1000), sample(71, 2000), sample(80, 3000);
  const auto p = read(m.file());
  REQUIRE(p);
  CHECK(types(*p) == Names{"cycles:samples/count", "cycles/count", "cpu-clock:samples/count", "cpu-clock/nanoseconds"});
  CHECK(p->total(0) == 2);
  CHECK(p->total(1) == 2000);
  CHECK(p->total(3) == 10);
  const auto one = read(m.file(), {.event = "cpu-clock"});
  REQUIRE(one);
  CHECK(types(*one) == Names{"samples/count", "cpu-clock/nanoseconds"});
  sample(99, 4000);
  const auto unknown = read(m.file());
  REQUIRE(unknown);
  CHECK(unknown->counters.skipped == 1);
}

TEST_CASE("perf.data: names of events come from the file where it has them") {
  PerfDataMaker m = usual(std::endian::little);
  m.features = {{kFeatureEventDesc, m.pack().u32(1).u32(112).text(m.attr(m.events[0])).u32(1).u32(16)
                                        .padded("cpu_core/cy/u").u16(0).bytes()}};
  // A string of 16 bytes with its padding, then the ids.
  m.features[0].second = m.pack().u32(1).u32(112).text(m.attr(m.events[0])).u32(1).u32(16)
                             .text(std::string{"cpu_core/cy/u\0\0\0", 16}).u64(7).bytes();
  const auto p = read(m.file());
  REQUIRE(p);
  CHECK(types(*p) == Names{"samples/count", "cpu_core/cy/u/count"});
}

TEST_CASE("perf.data: a call stack of the branch recorder stands for the user's frames") {
  PerfDataMaker m;
  m.events.push_back({.sample_type = kUsual | kBranchStack, .branch_type = kBranchCallStack, .ids = {7}});
  add_mmap(m, 10, 0x1000, 0x1000, 0, "/bin/app");
  m.add(kSample, 2, m.pack().u64(0x1005).u32(10).u32(10).u64(1000).u64(1).u64(2).u64(kUserMark).u64(0x1005)
                        .u64(2).u64(0x1100).u64(0x1000).u64(0).u64(0x1200).u64(0x1100).u64(0).bytes());
  const auto p = read(m.file());
  REQUIRE(p);
  CHECK(fold(*p, 0) == Folded{{"[app+0x200];[app+0x100];[app+0x5]", 1}});
}

namespace {

/// Answers with the registers it was given, to show that they arrived.
class EchoUnwinder final : public Unwinder {
 public:
  UnwindEnd unwind(const AddressSpace& space, const UserRegisters& registers, const StackCopy& stack,
                   MemoryReader* live, std::size_t, std::vector<std::uint64_t>& frames) override {
    CHECK(live == nullptr);
    CHECK(space.ranges().size() == 1);
    CHECK(stack.address == registers.sp());
    CHECK(as_text(stack.bytes) == "stackbytes......");
    frames = {registers.pc(), 0x1fff};
    return UnwindEnd::root;
  }
};

}  // namespace

#if defined(__x86_64__)
TEST_CASE("perf.data: copied stacks go to the unwinder, without one the leaf stays (perf_data_converter #40)") {
  PerfDataMaker m;
  const std::uint64_t mask = 1U << 7 | 1U << 8 | 1U << 16;  // sp, ip, r8
  m.events.push_back({.sample_type = kUsual | kRegsUser | kStackUser, .regs_user = mask, .ids = {7}});
  add_mmap(m, 10, 0x1000, 0x1000, 0, "/bin/app");
  m.add(kSample, 2, m.pack().u64(0x1005).u32(10).u32(10).u64(1000).u64(1).u64(2).u64(kUserMark).u64(0x1005)
                        .u64(2).u64(0x7000).u64(0x1005).u64(8).u64(24).text("stackbytes......padding.").u64(16).bytes());
  EchoUnwinder unwinder;
  std::string opened;
  ReadOptions options;
  options.unwinder = &unwinder;
  options.open_module = [&](const std::string& path, const std::string&) { return opened = path, ModulePtr{}; };
  const auto p = read(m.file(), options);
  REQUIRE(p);
  CHECK(fold(*p, 0) == Folded{{"[app+0xfff];[app+0x5]", 1}});
  CHECK(p->counters.truncated == 0);
  CHECK(opened == "/bin/app");
  Notes notes;
  const auto leaf = read(m.file(), {.notes = &notes});
  REQUIRE(leaf);
  CHECK(fold(*leaf, 0) == Folded{{"[app+0x5]", 1}});
  CHECK(leaf->counters.truncated == 1);
  CHECK(notes.size() == 1);
}
#endif

TEST_CASE("perf.data: compressed records equal their plain twin, split anywhere (linux-perf-data #17)") {
  const PerfDataMaker plain = usual(std::endian::little);
  const auto expected = read(plain.file());
  REQUIRE(expected);
  for (const std::uint32_t type : {std::uint32_t{kCompressed}, std::uint32_t{kCompressed2}}) {
    PerfDataMaker m = plain;
    m.data.clear();
    ZSTD_CStream* stream = ZSTD_createCStream();
    // 50 bytes at a time: records are split across compressed ones.
    for (std::size_t at = 0; at < plain.data.size(); at += 50) {
      const std::string_view piece = std::string_view{plain.data}.substr(at, 50);
      std::string packed(1000, '\0');
      ZSTD_inBuffer in{piece.data(), piece.size(), 0};
      ZSTD_outBuffer out{packed.data(), packed.size(), 0};
      ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush);
      packed.resize(out.pos);
      if (type == kCompressed) {
        m.add(type, 0, packed);
      } else {
        std::string body = m.pack().u64(packed.size()).text(packed).bytes();
        body.resize((body.size() + 7) / 8 * 8, '\0');
        m.add(type, 0, body);
      }
    }
    ZSTD_freeCStream(stream);
    const auto p = read(m.file());
    REQUIRE_MESSAGE(p, p.error().message);
    CHECK(fold(*p, 1) == fold(*expected, 1));
  }
}

TEST_CASE("perf.data: what perf lost and what cannot be a stack is counted or passed over") {
  PerfDataMaker m = usual(std::endian::little);
  m.add(kLost, 0, m.pack().u64(7).u64(30).text(trailer(m, 9500)).bytes());
  m.add(kLostSamples, 0, m.pack().u64(12).text(trailer(m, 9500)).bytes());
  m.add(kThrottle, 0, m.pack().u64(9500).u64(7).u64(7).text(trailer(m, 9500)).bytes());
  m.add(17, 0, std::string(16, 'k') + trailer(m, 9500));    // KSYMBOL
  m.add(200, 0, std::string(24, '?'));                      // of a perf to come
  m.add(kAuxtrace, 0, m.pack().u64(100).u64(0).u64(0).u64(0).u64(0).bytes());
  m.data += std::string(100, '\xff');  // the payload of AUXTRACE, not counted in its size
  add_sample(m, 10, 11, 9'900, 4, {kUserMark, 0x1010, 0x1021});
  const auto p = read(m.file());
  REQUIRE_MESSAGE(p, p.error().message);
  CHECK(p->counters.lost == 42);
  CHECK(p->counters.throttled == 1);
  CHECK(p->total(0) == 3);
}

TEST_CASE("perf.data: a cut or lying file names the record and its offset; --recover uses the rest") {
  PerfDataMaker m = usual(std::endian::little);
  const std::size_t before = m.data.size();
  m.data += m.pack().u32(kSample).u16(2).u16(4).bytes();
  const auto p = read(m.file());
  REQUIRE(!p);
  CHECK(p.error().kind == ErrorKind::malformed_input);
  const auto offset = 104 + 8 + 128 + before;
  CHECK(p.error().message.find("record 5 at offset 0x") != std::string::npos);
  CHECK(offset > 0);
  const auto recovered = read(m.file(), {.recover = true});
  REQUIRE(recovered);
  CHECK(recovered->total(0) == 2);
  CHECK(recovered->counters.skipped == 1);

  const std::string whole = usual(std::endian::little).file();
  const auto cut = read(std::string_view{whole}.substr(0, 104 + 8 + 128 + before - 10));
  REQUIRE(!cut);
  CHECK(cut.error().kind == ErrorKind::malformed_input);
  const auto rest = read(std::string_view{whole}.substr(0, 104 + 8 + 128 + before - 10), {.recover = true});
  REQUIRE(rest);
  CHECK(rest->total(0) == 1);
}

TEST_CASE("perf.data: a sample whose callchain lies about its length is skipped and counted") {
  PerfDataMaker m = usual(std::endian::little);
  m.add(kSample, 2, m.pack().u64(1).u32(1).u32(1).u64(9999).u64(1).u64(0xffffffffffff).bytes());
  const auto p = read(m.file());
  REQUIRE(p);
  CHECK(p->total(0) == 2);
  CHECK(p->counters.skipped == 1);
}

TEST_CASE("perf.data: time bounds in the recording's clock, or as dates where the file has the clock") {
  const auto relative = read(usual(std::endian::little).file(), {.since_ns = 6000});
  REQUIRE(relative);
  CHECK(relative->total(0) == 1);
  constexpr std::int64_t kDate = 1'700'000'000'000'000'000;
  const auto refused = read(usual(std::endian::little).file(), {.since_ns = kDate});
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::usage);
  PerfDataMaker m = usual(std::endian::little);
  m.features.emplace_back(kFeatureClockData, m.pack().u32(1).u32(1).u64(kDate).u64(4000).bytes());
  for (const std::string& bytes : {m.file(), m.pipe()}) {
    const auto dated = read(bytes, {.since_ns = kDate + 2000, .until_ns = kDate + 5500});
    REQUIRE_MESSAGE(dated, dated.error().message);
    CHECK(dated->total(0) == 1);
    CHECK(dated->header.time_nanos == kDate + 5000);
  }
}
