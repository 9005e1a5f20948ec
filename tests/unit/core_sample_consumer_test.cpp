// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/capture/sample_consumer.h"
#include "tests/support/fake_proc.h"

#include <map>
#include <string>

using namespace hprof;
using capture_test::FakeProc;

namespace {

/// Says what it is told to say.
class ScriptedUnwinder final : public Unwinder {
 public:
  UnwindEnd unwind(const AddressSpace& /*space*/, const UserRegisters& registers,
                   const StackCopy& /*stack*/, MemoryReader* /*live*/, std::size_t max_frames,
                   std::vector<std::uint64_t>& frames) override {
    for (std::size_t i = 0; i < std::min(depth, max_frames); ++i) frames.push_back(registers.pc() + i);
    return depth > max_frames ? UnwindEnd::truncated : end;
  }
  std::size_t depth = 2;
  UnwindEnd end = UnwindEnd::root;
};

/// One followed process 40 with a mapping at 0x1000, and everything a consumer needs.
struct Rig {
  Rig() {
    proc.add(40, "server");
    proc.write("40/task/41/comm", "worker\n");
    proc.write("40/maps", "1000-9000 r-xp 00000000 00:00 0 [fake]\n");
    processes.follow(40, 1);
  }
  SampleConsumer make(ConsumerOptions options = {}) {
    return {std::move(options), processes, modules, unwinder, store};
  }
  /// The stacks counted so far, root first, and how often.
  std::map<std::string, std::int64_t> stacks() {
    const RawProfile raw = store.cut(cursor);
    const Profile& p = raw.profile;
    std::map<std::string, std::int64_t> out;
    std::vector<LocationId> stack;
    for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
      p.stack_leaf_first(p.sample_stack(row), stack);
      std::string text;
      for (auto at = stack.rbegin(); at != stack.rend(); ++at) {
        const bool named = frame_name(p, *at, 0).front() == '[' && p.location(*at).address == 0;
        text += ' ' + (named ? frame_name(p, *at, 0) : fmt::format("{:x}", p.location(*at).address));
      }
      out[text] += p.value(1, row);
    }
    return out;
  }

  FakeProc proc;
  ModuleRegistry modules{proc.fs()};
  ProcessTable processes{modules, true, false};
  ScriptedUnwinder unwinder;
  SampleStore store{StoreOptions{{{"samples", "count"}, {"cpu", "nanoseconds"}}, {}, 0, 0}};
  SampleStore::Cursor cursor = store.open_cursor();
};

SampleRecord sample(int pid = 40, int tid = 41) {
  SampleRecord out;
  out.pid = pid;
  out.tid = tid;
  out.has_user_registers = true;
  out.registers.value[UserRegisters::kPc] = 0x1100;
  return out;
}

}  // namespace

TEST_CASE("kernel frames lie on user frames, with addresses where those may be seen") {
  Rig rig;
  SampleConsumer consumer = rig.make();
  const std::array<std::uint64_t, 2> chain{0xffffffff81000010, 0xffffffff81000020};
  SampleRecord record = sample();
  record.kernel = KernelChain{std::as_bytes(std::span{chain})};
  consumer.on_sample(record, 5, 1);
  CHECK(rig.stacks().at(" 1101 1100 [kernel]") == 5);
  consumer.set_kernel_addresses(true);
  consumer.on_sample(record, 7, 1);
  CHECK(rig.stacks().at(" 1101 1100 ffffffff8100001f ffffffff81000010") == 7);
}

TEST_CASE("a stack deeper than the limit keeps both ends around one mark") {
  Rig rig;
  rig.unwinder.depth = 3000;
  ConsumerOptions options;
  options.max_frames = 4;
  SampleConsumer consumer = rig.make(options);
  consumer.on_sample(sample(), 1, 1);
  CHECK(rig.stacks().begin()->first == " 1cb7 1cb6 [frames elided] 1101 1100");
  rig.unwinder.depth = 4;
  consumer.on_sample(sample(), 1, 1);
  CHECK(rig.stacks().begin()->first == " 1103 1102 1101 1100");
  CHECK(consumer.counts().truncated == 0);
}

TEST_CASE("a stack that does not reach its root is marked and counted") {
  Rig rig;
  rig.unwinder.end = UnwindEnd::truncated;
  SampleConsumer consumer = rig.make();
  consumer.on_sample(sample(), 1, 1);
  CHECK(rig.stacks().begin()->first == " [truncated] 1101 1100");
  CHECK(consumer.counts().truncated == 1);
  // Of 32-bit code only the place itself is known.
  SampleRecord narrow = sample();
  narrow.is_32_bit = true;
  consumer.on_sample(narrow, 1, 1);
  CHECK(rig.stacks().begin()->first == " [truncated] 1100");
}

TEST_CASE("only followed processes and wanted threads count") {
  Rig rig;
  ConsumerOptions options;
  options.threads = *ThreadFilter::make({}, "^work");
  SampleConsumer consumer = rig.make(options);
  consumer.on_sample(sample(40, 41), 1, 1);
  consumer.on_sample(sample(40, 40), 1, 1);
  consumer.on_sample(sample(99, 99), 1, 1);
  CHECK(consumer.counts().samples == 1);
  CHECK(rig.processes.thread_name(*rig.processes.find(40, 1), 41) == "worker");
}

TEST_CASE("forks, execs and new names are followed by their records") {
  Rig rig;
  CHECK(rig.processes.on_fork({false, 50, 40, 50, 41}, 1) == 50);
  FollowedProcess* child = rig.processes.find(50, 1);
  REQUIRE(child != nullptr);
  CHECK(child->comm == "worker");
  CHECK(child->space.find(0x1100) != nullptr);
  rig.processes.on_comm({50, 50, true, "other"});
  CHECK(child->comm == "other");
  CHECK(child->space.find(0x1100) == nullptr);
  MmapRecord map;
  map.pid = 50;
  map.start = 0x5000;
  map.size = 0x1000;
  map.executable = true;
  map.path = "//anon";
  rig.processes.on_mmap(map);
  REQUIRE(child->space.find(0x5001) != nullptr);
  CHECK(child->space.find(0x5001)->module->kind == ModuleKind::jit);
  // A thread of it, a thread of a stranger, and the end of its main thread.
  CHECK(rig.processes.on_fork({false, 50, 50, 51, 50}, 1) == 0);
  CHECK(rig.processes.on_fork({false, 70, 60, 70, 60}, 1) == 0);
  CHECK(rig.processes.find(70, 1) == nullptr);
  rig.processes.on_exit({true, 50, 40, 50, 40});
  CHECK(child->leader_ended);
  CHECK(rig.processes.ever_followed() == 2);
}

TEST_CASE("a child that waits for its exec is not counted yet") {
  Rig rig;
  SampleConsumer consumer = rig.make();
  rig.processes.find(40, 1)->waits_for_exec = true;
  consumer.on_sample(sample(), 1, 1);
  CHECK(consumer.counts().samples == 0);
  rig.processes.on_comm({40, 40, true, "program"});
  consumer.on_sample(sample(), 1, 1);
  CHECK(consumer.counts().samples == 1);
}
