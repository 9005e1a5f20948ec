// SPDX-License-Identifier: Apache-2.0
#include "sample_source.h"
#include "thread_hold.h"
#include "thread_times.h"

#include <hprof/core/target/process_tree.h>

#include <time.h>

#include <algorithm>
#include <unordered_map>

namespace hprof {
namespace {

// How long the sampler waits for threads to stop before it does other things meanwhile. Waiting does
// not hold them; not looking when they have stopped would.
constexpr std::int64_t kPatience = 20'000'000;
constexpr std::int64_t kLastPatience = 100'000'000;
constexpr std::size_t kMaxAsked = 64;
constexpr std::int64_t kRefreshEvery = 1'000'000'000;
constexpr std::int64_t kChildrenEvery = 100'000'000;
// Looking may take this part of the time; where there is too much to look at, it is done less often.
constexpr std::int64_t kCostFactor = 5;

std::int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Looks at running threads on a timer. A sample stands for the CPU time that the kernel charged
/// its thread since the last one, so the sum is right however rarely threads are looked at.
class PtraceSource final : public SampleSource {
 public:
  PtraceSource(SourceOptions options, const ProcFs& proc)
      : options_(std::move(options)),
        times_(proc),
        proc_(proc),
        period_ns_(std::max<std::int64_t>(1'000'000, static_cast<std::int64_t>(1e9 / options_.rate))),
        stack_(options_.stack_bytes) {}

  /// Tries one hold, to learn now what is forbidden.
  Result<void> open();

  Result<void> start() override;
  void stop() override {
    holder_.collect_for(kLastPatience, {}, [](int, const HeldThread&) {});
  }
  Result<void> drain(SampleConsumer& consumer, std::int64_t until_ns) override;
  [[nodiscard]] int poll_fd() const override { return -1; }
  [[nodiscard]] std::int64_t drain_every_ns() const override;
  void on_new_process(int pid) override;
  void on_thread_exit(int /*tid*/) override {}
  void on_process_gone(int pid) override;
  void slow_down(unsigned factor) override { slowdown_ = factor; }
  [[nodiscard]] std::int64_t longest_hold_ns() const override { return longest_hold_ns_; }
  void describe(CaptureReport& report) const override;

 private:
  void follow_children(SampleConsumer& consumer, std::int64_t now);
  void refresh(SampleConsumer& consumer, std::int64_t now);
  void ask_busy_threads();
  void count(SampleConsumer& consumer, int tid, const HeldThread& held);
  [[nodiscard]] bool may_reap(int pid) const { return !options_.on_exec || pid != options_.pids[0]; }

  SourceOptions options_;
  ThreadTimes times_;
  const ProcFs& proc_;
  ThreadHolder holder_;
  std::int64_t period_ns_;
  std::vector<std::byte> stack_;
  std::vector<int> followed_;
  std::unordered_map<int, BusyThread> asked_;
  std::int64_t next_ns_ = 0;
  std::int64_t refreshed_ns_ = 0;
  std::int64_t children_ns_ = 0;
  std::int64_t longest_hold_ns_ = 0;
  unsigned slowdown_ = 1;
};

Result<void> PtraceSource::open() {
  if (options_.system) {
    return Error{ErrorKind::permission, "stops of every process of the machine are out of question",
                 {}};
  }
  if (options_.pids.empty()) return Error{ErrorKind::target_gone, "the target has ended", {}};
  const int pid = options_.pids.front();
  HPROF_TRY(holder_.ask(pid, pid, may_reap(pid)));
  holder_.collect_for(kPatience, {}, [](int, const HeldThread&) {});
  return {};
}

Result<void> PtraceSource::start() {
  followed_ = options_.pids;
  for (const int pid : followed_) {
    if (may_reap(pid)) times_.begin(pid);
  }
  next_ns_ = now_ns() + period_ns_;
  return {};
}

std::int64_t PtraceSource::drain_every_ns() const {
  constexpr std::int64_t kSoon = 1'000'000;
  if (holder_.pending() != 0) return kSoon;
  return std::clamp<std::int64_t>(next_ns_ - now_ns(), kSoon, 100'000'000);
}

void PtraceSource::on_new_process(int pid) {
  if (std::ranges::find(followed_, pid) == followed_.end()) followed_.push_back(pid);
}

void PtraceSource::on_process_gone(int pid) {
  std::erase(followed_, pid);
  times_.forget(pid);
}

void PtraceSource::follow_children(SampleConsumer& consumer, std::int64_t now) {
  if (!options_.children || now - children_ns_ < kChildrenEvery) return;
  children_ns_ = now;
  for (const int pid : with_descendants(proc_, followed_)) {
    on_new_process(pid);
    consumer.processes().follow(pid, now);
  }
}

void PtraceSource::refresh(SampleConsumer& consumer, std::int64_t now) {
  if (now - refreshed_ns_ < kRefreshEvery) return;
  refreshed_ns_ = now;
  // No record tells of exec, dlopen or new names on this rung.
  for (const int pid : followed_) consumer.processes().refresh(pid, now);
}

void PtraceSource::count(SampleConsumer& consumer, int tid, const HeldThread& held) {
  longest_hold_ns_ = std::max(longest_hold_ns_, held.held_ns);
  const auto asked = asked_.find(tid);
  if (asked == asked_.end()) return;
  const BusyThread thread = asked->second;
  asked_.erase(asked);
  times_.seen(thread);
  SampleRecord record;
  record.pid = thread.pid;
  record.tid = tid;
  record.has_user_registers = true;
  record.is_32_bit = held.is_32_bit;
  record.registers = held.registers;
  record.stack = {held.stack_address, Bytes{stack_}.first(held.stack_bytes)};
  consumer.on_sample(record, thread.unseen_ns, now_ns());
}

void PtraceSource::ask_busy_threads() {
  std::vector<BusyThread> busy;
  for (const int pid : followed_) times_.find_busy(pid, busy);
  std::ranges::sort(busy, std::ranges::greater{}, &BusyThread::unseen_ns);
  for (const BusyThread& thread : busy) {
    if (asked_.size() >= kMaxAsked) break;
    const bool wanted =
        options_.tids.empty() || std::ranges::find(options_.tids, thread.tid) != options_.tids.end();
    if (!wanted || asked_.contains(thread.tid)) continue;
    if (holder_.ask(thread.pid, thread.tid, may_reap(thread.tid))) asked_[thread.tid] = thread;
  }
}

Result<void> PtraceSource::drain(SampleConsumer& consumer, std::int64_t /*until_ns*/) {
  const auto visit = [&](int tid, const HeldThread& held) { count(consumer, tid, held); };
  holder_.collect(stack_, visit);
  const std::int64_t begin = now_ns();
  if (begin < next_ns_) return {};
  follow_children(consumer, begin);
  refresh(consumer, begin);
  if (holder_.pending() == 0) asked_.clear();
  ask_busy_threads();
  const std::int64_t asked_ns = now_ns();
  holder_.collect_for(kPatience, stack_, visit);
  next_ns_ = std::max(next_ns_ + period_ns_ * slowdown_, asked_ns + kCostFactor * (asked_ns - begin));
  return {};
}

void PtraceSource::describe(CaptureReport& report) const {
  report.engine = CaptureEngine::ptrace;
  report.event = "timer";
  report.lacks.emplace_back("kernel frames");
  report.lacks.emplace_back("threads that run for less than a period");
  report.lacks.emplace_back("an untouched target: running threads are held for a moment, mostly under 1 ms");
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_ptrace_source(const SourceOptions& options,
                                                         const ProcFs& proc) {
  auto source = std::make_unique<PtraceSource>(options, proc);
  HPROF_TRY(source->open());
  return std::unique_ptr<SampleSource>{std::move(source)};
}

}  // namespace hprof
