// SPDX-License-Identifier: Apache-2.0
#include "event_group.h"
#include "perf_rings.h"
#include "record_dispatch.h"
#include "sample_source.h"

#include <hprof/core/target/process_tree.h>

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <optional>
#include <set>
#include <thread>

namespace hprof {
namespace {

constexpr double kRingSeconds = 0.3;
constexpr std::int64_t kDrainEvery = 100'000'000;
constexpr int kMaxScans = 20;

std::int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Whether the kernel knows all that is asked for, tried on ourselves.
bool opens(const perf_event_attr& attr) {
  perf_event_attr trial = attr;
  trial.type = PERF_TYPE_SOFTWARE;
  trial.config = PERF_COUNT_SW_DUMMY;
  trial.disabled = 1;
  return open_perf_event(trial, 0, -1, "dummy").has_value();
}

/// An event on each thread and CPU, inherited by the threads and processes they make. Needs no
/// privilege for one's own processes.
class PerThreadSource final : public SampleSource {
 public:
  PerThreadSource(SourceOptions options, const ProcFs& proc, PerfRings rings)
      : options_(std::move(options)), proc_(proc), rings_(std::move(rings)) {}

  Result<void> open();

  Result<void> start() override;
  void stop() override;
  Result<void> drain(SampleConsumer& consumer, std::int64_t until_ns) override;
  [[nodiscard]] int poll_fd() const override { return rings_.poll_fd(); }
  [[nodiscard]] std::int64_t drain_every_ns() const override { return kDrainEvery; }
  void on_new_process(int /*pid*/) override {}
  void on_thread_exit(int /*tid*/) override {}
  void on_process_gone(int /*pid*/) override {}
  void slow_down(unsigned factor) override { slowdown_ = factor; }
  void describe(CaptureReport& report) const override;

 private:
  Result<void> open_rings();
  Result<void> open_threads();
  /// Threads that are there now and not covered by an event.
  [[nodiscard]] std::vector<int> uncovered() const;
  /// Takes note of the threads that were born with our events, from the records of their birth.
  void note_births();

  SourceOptions options_;
  const ProcFs& proc_;
  std::vector<UniqueFd> ring_events_;
  PerfRings rings_;
  std::optional<EventGroup> events_;
  std::set<int> covered_;
  unsigned slowdown_ = 1;
};

Result<void> PerThreadSource::open_rings() {
  // The rings hang on idle events of our own: those of a target would hang up when it ends.
  AttrOptions attr;
  attr.event.type = PERF_TYPE_SOFTWARE;
  attr.event.config = PERF_COUNT_SW_DUMMY;
  attr.event.period = 1;
  attr.stack_bytes = options_.stack_bytes;
  attr.exclude_kernel = true;
  attr.wakeup_bytes = choose_wakeup_bytes(options_.rate, options_.stack_bytes);
  const int self = static_cast<int>(::syscall(SYS_gettid));
  for (const int cpu : online_cpus()) {
    perf_event_attr raw = make_perf_attr(attr);
    raw.mmap = raw.mmap2 = raw.comm = raw.comm_exec = raw.task = 0;
    HPROF_ASSIGN(UniqueFd event, open_perf_event(raw, self, cpu, "dummy"));
    ring_events_.push_back(std::move(event));
  }
  return rings_.map(ring_events_,
                    options_.ring_bytes != 0
                        ? options_.ring_bytes
                        : choose_ring_bytes(options_.rate, options_.stack_bytes, kRingSeconds));
}

std::vector<int> PerThreadSource::uncovered() const {
  std::vector<int> tids = options_.tids;
  if (tids.empty()) {
    for (const int pid : options_.children ? with_descendants(proc_, options_.pids)
                                           : options_.pids) {
      const std::vector<int> of_process = proc_.tids(pid);
      tids.insert(tids.end(), of_process.begin(), of_process.end());
    }
  }
  std::erase_if(tids, [this](int tid) { return covered_.contains(tid); });
  return tids;
}

void PerThreadSource::note_births() {
  rings_.drain(now_ns(), [this](Bytes bytes) {
    const PerfRecord record = decode_perf_record(bytes, options_.stack_bytes != 0);
    const auto* task = std::get_if<TaskRecord>(&record);
    if (task != nullptr && !task->is_exit) covered_.insert(task->tid);
  });
}

Result<void> PerThreadSource::open_threads() {
  for (int scan = 0; scan < kMaxScans; ++scan) {
    std::vector<int> tids = uncovered();
    if (tids.empty()) break;
    if (scan > 0) {
      // A thread found late was born to a thread without an event, or it has inherited one; in
      // that case the kernel has said so, a moment after the thread could be seen.
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
      note_births();
      std::erase_if(tids, [this](int tid) { return covered_.contains(tid); });
    }
    for (const int tid : tids) {
      HPROF_TRY(events_->add_thread(tid));
      covered_.insert(tid);
    }
  }
  if (events_->size() != 0) return {};
  return Error{ErrorKind::target_gone, "the target has ended", {}};
}

Result<void> PerThreadSource::open() {
  HPROF_TRY(open_rings());
  AttrOptions attr;
  attr.event = options_.event;
  attr.stack_bytes = options_.stack_bytes;
  attr.exclude_kernel = options_.user_only;
  perf_event_attr raw = make_perf_attr(attr);
  raw.inherit = options_.tids.empty() ? 1 : 0;
  // Linux 5.13; before it, forks inherit too and their samples are left out.
  raw.inherit_thread = raw.inherit != 0 && !options_.children ? 1 : 0;
  if (raw.inherit_thread != 0 && !opens(raw)) raw.inherit_thread = 0;
  raw.enable_on_exec = options_.on_exec ? 1 : 0;
  // Enabled from the start, or nothing would tell of threads born before start().
  raw.disabled = raw.enable_on_exec;
  events_.emplace(ring_events_, online_cpus(), raw, options_.event.name);
  return open_threads();
}

Result<void> PerThreadSource::start() {
  if (!options_.on_exec) note_births();
  covered_.clear();
  return {};
}

void PerThreadSource::stop() {
  if (events_) events_->disable();
}

Result<void> PerThreadSource::drain(SampleConsumer& consumer, std::int64_t until_ns) {
  RecordDispatch dispatch{consumer, *this, options_.event, {slowdown_, true},
                          options_.stack_bytes != 0};
  rings_.drain(until_ns, [&dispatch](Bytes record) { dispatch(record); });
  return {};
}

void PerThreadSource::describe(CaptureReport& report) const {
  report.engine = CaptureEngine::per_thread;
  report.ring_bytes = rings_.ring_bytes();
  report.rings = static_cast<unsigned>(rings_.size());
  report.lacks.emplace_back("part of the time of threads that live but a few sampling periods");
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_per_thread_source(const SourceOptions& options,
                                                             const ProcFs& proc) {
  HPROF_ASSIGN(PerfRings rings, PerfRings::make());
  auto source = std::make_unique<PerThreadSource>(options, proc, std::move(rings));
  HPROF_TRY(source->open());
  return std::unique_ptr<SampleSource>{std::move(source)};
}

}  // namespace hprof
