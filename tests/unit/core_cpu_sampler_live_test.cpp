// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/capture/cpu_sampler.h>

#include <doctest/doctest.h>

#include "tests/support/live_target.h"

#include <cmath>
#include <map>

using namespace hprof;
using namespace std::chrono_literals;
using capture_test::LiveTarget;

namespace {

/// Leaf only: what these tests ask is which function ran, not who called it.
class LeafUnwinder final : public Unwinder {
 public:
  UnwindEnd unwind(const AddressSpace& /*space*/, const UserRegisters& registers,
                   const StackCopy& /*stack*/, MemoryReader* /*live*/, std::size_t /*max_frames*/,
                   std::vector<std::uint64_t>& frames) override {
    frames.push_back(registers.pc());
    return UnwindEnd::root;
  }
};

// Each burns the same for one unit: their loops lie alike in a cache line, for they are short. The
// tag keeps the compiler from merging them.
template <int kTag>
[[gnu::noinline, gnu::aligned(64)]] void burn(long units) {
  for (long i = 0; i < units * 2000; ++i) asm volatile("nop; nop; nop; nop" ::"r"(kTag));
}
[[gnu::noinline]] void end_of_burn() { asm volatile("" ::: "memory"); }

struct Shares {
  double total = 0;
  std::map<int, double> by_tag;
};

int tag_of(std::uint64_t address) {
  const std::map<std::uint64_t, int> starts{
      {reinterpret_cast<std::uintptr_t>(&burn<50>), 50},
      {reinterpret_cast<std::uintptr_t>(&burn<30>), 30},
      {reinterpret_cast<std::uintptr_t>(&burn<20>), 20},
  };
  const auto after = starts.upper_bound(address);
  if (after == starts.begin()) return 0;
  const auto& [start, tag] = *std::prev(after);
  return address < start + 64 ? tag : 0;
}

Shares shares(const Profile& p) {
  Shares out;
  std::vector<LocationId> stack;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    p.stack_leaf_first(p.sample_stack(row), stack);
    const auto count = static_cast<double>(p.value(0, row));
    out.total += count;
    out.by_tag[tag_of(p.location(stack.front()).address)] += count;
  }
  return out;
}

// By chance, not in turn: a loop of constant length can keep step with the sampling period.
void burn_50_30_20() {
  for (std::uint32_t random = 1;;) {
    random = random * 1664525 + 1013904223;
    const std::uint32_t percent = (random >> 8) % 100;
    if (percent < 50) {
      burn<50>(20);
    } else if (percent < 80) {
      burn<30>(20);
    } else {
      burn<20>(20);
    }
  }
}

void check_share(const Shares& s, int tag) {
  const double p = tag / 100.0;
  const double sigma = std::sqrt(p * (1 - p) / s.total);
  INFO("tag " << tag << " of " << s.total);
  CHECK(std::abs(s.by_tag.at(tag) / s.total - p) < 4 * sigma + 0.005);
}

void check_split(CaptureEngine engine) {
  end_of_burn();
  const LiveTarget target{burn_50_30_20};
  LeafUnwinder unwinder;
  SamplerOptions options;
  options.rate = 997;
  options.engine = engine;
  SamplerTargets targets;
  targets.pids = {target.pid()};
  Result<std::unique_ptr<CpuSampler>> sampler = CpuSampler::open(options, targets, unwinder);
  if (!sampler) {
    MESSAGE("skipped: " << sampler.error().message);
    return;
  }
  SampleStore::Cursor cursor = (*sampler)->store().open_cursor();
  const auto end = run_sampler(**sampler, 1500ms, {});
  REQUIRE(end);
  CHECK(*end == CpuSampler::State::running);
  const RawProfile raw = (*sampler)->store().cut(cursor);
  const SamplerStats stats = (*sampler)->stats();
  MESSAGE((*sampler)->report().sentence());
  const Shares s = shares(raw.profile);
  CHECK((*sampler)->report().engine == engine);
  CHECK(s.total == static_cast<double>(stats.samples));
  CHECK(stats.lost == 0);
  REQUIRE(s.total > 100);
  for (const int tag : {50, 30, 20}) check_share(s, tag);
  MESSAGE("samples " << stats.samples << " seen " << stats.cpu_seen_percent() << " %");
  CHECK(stats.cpu_seen_percent() > 95);
  CHECK(stats.cpu_seen_percent() < 105);
  CHECK(raw.profile.header.duration_nanos > 1'400'000'000);
  CHECK(raw.profile.header.duration_nanos < 1'900'000'000);
}

}  // namespace

TEST_CASE("per-CPU events see a split of 50/30/20 and all CPU time") {
  check_split(CaptureEngine::per_cpu);
}

TEST_CASE("per-thread events see a split of 50/30/20 and all CPU time") {
  check_split(CaptureEngine::per_thread);
}

TEST_CASE("short ptrace stops see a split of 50/30/20 and all CPU time") {
  check_split(CaptureEngine::ptrace);
}
