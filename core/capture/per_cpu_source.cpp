// SPDX-License-Identifier: Apache-2.0
#include "bpf.h"
#include "perf_rings.h"
#include "record_dispatch.h"
#include "sample_source.h"

#include <fmt/format.h>

#include <errno.h>
#include <sys/ioctl.h>

namespace hprof {
namespace {

constexpr std::uint32_t kMaxIds = 4096;
constexpr std::uint32_t kMaxIdsWithChildren = 32768;
constexpr double kRingSeconds = 0.3;
constexpr std::int64_t kDrainEvery = 100'000'000;

/// A timer on every CPU. Other than a clock that each thread inherits, it does not start anew in
/// each thread, so threads of a few milliseconds are seen as often as their time deserves.
class PerCpuSource final : public SampleSource {
 public:
  PerCpuSource(SourceOptions options, PerfRings rings)
      : options_(std::move(options)), rings_(std::move(rings)) {}

  Result<void> open_events();
  Result<void> open_filter(const Permissions& permissions);

  Result<void> start() override;
  void stop() override;
  Result<void> drain(SampleConsumer& consumer, std::int64_t until_ns) override;
  [[nodiscard]] int poll_fd() const override { return rings_.poll_fd(); }
  [[nodiscard]] std::int64_t drain_every_ns() const override { return kDrainEvery; }
  void on_new_process(int pid) override;
  void on_thread_exit(int tid) override;
  void on_process_gone(int pid) override;
  void slow_down(unsigned factor) override;
  void describe(CaptureReport& report) const override;

 private:
  SourceOptions options_;
  PerfRings rings_;
  std::vector<UniqueFd> events_;
  std::optional<BpfFilter> filter_;
  unsigned slowdown_ = 1;
};

Result<void> PerCpuSource::open_events() {
  AttrOptions attr;
  attr.event = options_.event;
  attr.stack_bytes = options_.stack_bytes;
  attr.exclude_kernel = options_.user_only;
  attr.wakeup_bytes = choose_wakeup_bytes(options_.rate, options_.stack_bytes);
  const std::size_t ring_bytes =
      options_.ring_bytes != 0
          ? options_.ring_bytes
          : choose_ring_bytes(options_.rate, options_.stack_bytes, kRingSeconds);
  for (const int cpu : online_cpus()) {
    HPROF_ASSIGN(UniqueFd event,
                 open_perf_event(make_perf_attr(attr), -1, cpu, options_.event.name));
    events_.push_back(std::move(event));
  }
  return rings_.map(events_, ring_bytes);
}

Result<void> PerCpuSource::open_filter(const Permissions& permissions) {
  if (options_.system) return {};
  if (!permissions.bpf()) {
    return Error{ErrorKind::permission, "BPF filters need CAP_BPF and CAP_PERFMON", {}};
  }
  // The helper that tells the current id knows the ids of the initial namespace only.
  if (!permissions.initial_pid_namespace) {
    return Error{ErrorKind::unsupported, "BPF filters need the initial pid namespace", {}};
  }
  const bool by_thread = !options_.tids.empty();
  HPROF_ASSIGN(BpfFilter filter,
               BpfFilter::load(by_thread ? BpfFilter::Key::thread : BpfFilter::Key::process,
                               options_.children ? kMaxIdsWithChildren : kMaxIds));
  for (const int id : by_thread ? options_.tids : options_.pids) HPROF_TRY(filter.add(id));
  if (options_.children && !by_thread) HPROF_TRY(filter.follow_forks());
  for (const UniqueFd& event : events_) HPROF_TRY(filter.attach(event.get()));
  filter_ = std::move(filter);
  return {};
}

Result<void> PerCpuSource::start() {
  for (const UniqueFd& event : events_) {
    if (::ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) {
      const int reason = errno;
      return system_error(reason, "cannot start a perf event");
    }
  }
  return {};
}

void PerCpuSource::stop() {
  for (const UniqueFd& event : events_) ::ioctl(event.get(), PERF_EVENT_IOC_DISABLE, 0);
}

Result<void> PerCpuSource::drain(SampleConsumer& consumer, std::int64_t until_ns) {
  RecordDispatch dispatch{consumer, *this, options_.event, {slowdown_, false},
                          options_.stack_bytes != 0};
  rings_.drain(until_ns, [&dispatch](Bytes record) { dispatch(record); });
  return {};
}

void PerCpuSource::on_new_process(int pid) {
  // The program on forks has done so already, unless the map was full for a moment.
  if (filter_ && options_.tids.empty()) static_cast<void>(filter_->add(pid));
}

void PerCpuSource::on_thread_exit(int tid) {
  // The program on forks cannot tell threads from processes and adds both.
  if (filter_ && options_.children) filter_->remove(tid);
}

void PerCpuSource::on_process_gone(int pid) {
  if (filter_) filter_->remove(pid);
}

void PerCpuSource::slow_down(unsigned factor) {
  slowdown_ = factor;
  std::uint64_t period = options_.event.period * factor;
  if (period == 0) period = std::max<std::uint64_t>(1, options_.event.frequency / factor);
  for (const UniqueFd& event : events_) ::ioctl(event.get(), PERF_EVENT_IOC_PERIOD, &period);
}

void PerCpuSource::describe(CaptureReport& report) const {
  report.engine = CaptureEngine::per_cpu;
  report.ring_bytes = rings_.ring_bytes();
  report.rings = static_cast<unsigned>(rings_.size());
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_per_cpu_source(const SourceOptions& options,
                                                          const Permissions& permissions) {
  HPROF_ASSIGN(PerfRings rings, PerfRings::make());
  auto source = std::make_unique<PerCpuSource>(options, std::move(rings));
  HPROF_TRY(source->open_events());
  HPROF_TRY(source->open_filter(permissions));
  return std::unique_ptr<SampleSource>{std::move(source)};
}

}  // namespace hprof
