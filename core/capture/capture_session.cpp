// SPDX-License-Identifier: Apache-2.0
#include "capture_session.h"

#include "event_names.h"

#include <hprof/core/target/process_info.h>
#include <hprof/core/target/process_tree.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

namespace hprof {
namespace {

constexpr std::int64_t kAccountEvery = 250'000'000;
constexpr std::int64_t kCapEvery = 1'000'000'000;
constexpr unsigned kMaxSlowdown = 64;
// A sample's size is 16 bits wide, and without a stack it would lack the registers too.
constexpr std::uint32_t kMinStack = 64;
constexpr std::uint32_t kMaxStack = 65528;
// Rings of other users are small (perf_event_mlock_kb, 516 for each CPU): a dozen samples must fit.
constexpr std::uint32_t kMaxUnprivilegedStack = 32768;

std::int64_t own_cpu_ns() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& t) {
    return std::int64_t{t.tv_sec} * 1'000'000'000 + std::int64_t{t.tv_usec} * 1000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

ConsumerOptions consumer_options(const SamplerOptions& options, const SamplerTargets& targets) {
  ConsumerOptions out;
  out.threads = targets.threads;
  out.max_frames = std::max<std::size_t>(2, options.max_frames);
  return out;
}

}  // namespace

CaptureSession::CaptureSession(const SamplerOptions& options, const SamplerTargets& targets,
                               Unwinder& unwinder, std::shared_ptr<SampleStore> store)
    : options_(options),
      targets_(targets),
      store_(std::move(store)),
      modules_(ProcFs{options.proc_root}),
      processes_(modules_, targets.children, targets.system),
      consumer_(consumer_options(options, targets), processes_, modules_, unwinder, *store_),
      account_(modules_.proc(), targets.children) {}

CaptureSession::~CaptureSession() { stop(); }

Result<void> CaptureSession::find_targets() {
  if (targets_.system) return {};
  pids_ = targets_.pids;
  if (targets_.command != nullptr) pids_.push_back(targets_.command->pid());
  if (pids_.empty()) {
    for (const int tid : targets_.threads.tids()) {
      HPROF_ASSIGN(const ProcessInfo info, read_process(modules_.proc(), tid));
      pids_.push_back(info.tgid);
    }
  }
  if (pids_.empty()) return Error{ErrorKind::usage, "no target is given", {}};
  HPROF_TRY(check_readable());
  if (targets_.children) pids_ = with_descendants(modules_.proc(), pids_);
  // Children may end at any time; what matters is that the targets named were there.
  if (targets_.children) {
    std::erase_if(pids_, [this](int pid) { return !is_alive(modules_.proc(), pid); });
  }
  std::ranges::sort(pids_);
  pids_.erase(std::unique(pids_.begin(), pids_.end()), pids_.end());
  return {};
}

Result<void> CaptureSession::check_readable() {
  for (const int pid : pids_) {
    HPROF_ASSIGN(const ProcessInfo info, read_target(modules_.proc(), pid));
    if (info.kernel_thread) continue;
    has_32_bit_ = has_32_bit_ || info.is_32_bit;
    const UniqueFd maps{
        ::open(modules_.proc().path(pid, "maps").c_str(), O_RDONLY | O_CLOEXEC)};
    if (maps.valid()) continue;
    Error error = system_error(errno, fmt::format("cannot attach to {} ({})", pid, info.name()));
    if (error.kind == ErrorKind::permission) {
      error.hint = fmt::format("it belongs to uid {}: run as that user or as root", info.uid);
    }
    return error;
  }
  return {};
}

SourceOptions CaptureSession::source_options(const Permissions& permissions) const {
  SourceOptions out;
  out.event = event_;
  out.is_other_event = !options_.event.empty();
  const std::uint32_t most = ::geteuid() == 0 ? kMaxStack : kMaxUnprivilegedStack;
  out.stack_bytes = std::clamp(options_.stack_bytes, kMinStack, most) & ~std::uint32_t{7};
  out.ring_bytes = options_.ring_bytes;
  out.user_only = options_.user_only || !permissions.may_see_kernel();
  out.children = targets_.children;
  out.system = targets_.system;
  out.pids = pids_;
  out.tids.assign(targets_.threads.tids().begin(), targets_.threads.tids().end());
  out.on_exec = targets_.command != nullptr;
  out.rate = options_.rate;
  return out;
}

/// Says what the engine cannot show for want of permissions.
void CaptureSession::note_kernel_view(const Permissions& permissions, bool user_only) {
  if (report_.engine == CaptureEngine::ptrace) return;
  report_.kernel_frames = !user_only;
  if (user_only && !options_.user_only) {
    report_.lacks.push_back(fmt::format("frames and time in the kernel (perf_event_paranoid {})",
                                        permissions.perf_event_paranoid));
  }
  if (!user_only && !permissions.kernel_symbols) {
    report_.lacks.emplace_back("names of kernel frames (kptr_restrict)");
  }
  consumer_.set_kernel_addresses(permissions.kernel_symbols);
}

Result<void> CaptureSession::open() {
  own_cpu_base_ = own_cpu_ns();
  HPROF_TRY(find_targets());
  raise_open_file_limit();
  const Permissions permissions = read_permissions(modules_.proc());
  if (options_.event.empty()) {
    HPROF_ASSIGN(event_, cpu_time_event(options_.clock, options_.rate));
  } else {
    HPROF_ASSIGN(event_, find_event(options_.event, options_.rate));
  }
  const SourceOptions source = source_options(permissions);
  HPROF_TRY(watch_.open());
  HPROF_ASSIGN(ChosenSource chosen,
               choose_source(source, options_.engine, permissions, modules_.proc()));
  source_ = std::move(chosen.source);
  report_ = std::move(chosen.report);
  note_kernel_view(permissions, source.user_only);
  if (has_32_bit_) report_.lacks.emplace_back("callers in 32-bit code");
  if (source_->poll_fd() >= 0) HPROF_TRY(watch_.add(source_->poll_fd()));
  if (targets_.system || pids_.size() > 1) store_->expect_several_processes();
  write_comments();
  return {};
}

void CaptureSession::write_comments() {
  utsname system{};
  ::uname(&system);
  store_->set_comments({fmt::format("engine: {}", report_.sentence()),
                        fmt::format("rate: {} Hz", options_.rate),
                        fmt::format("host: {}", system.nodename),
                        fmt::format("kernel: {} {} {}", system.sysname, system.release,
                                    system.machine)});
}

Result<void> CaptureSession::start() {
  if (phase_ != Phase::opened) return {};
  phase_ = Phase::running;
  started_ns_ = clock_.monotonic_ns();
  for (const int pid : pids_) account_.add(pid, targets_.command != nullptr);
  HPROF_TRY(source_->start());
  store_->set_covered_until(started_ns_);
  follow_targets();
  return targets_.command == nullptr ? Result<void>{} : release_command();
}

void CaptureSession::follow_targets() {
  // Children that were born between the first look and the events.
  std::vector<int> pids = targets_.children ? with_descendants(modules_.proc(), pids_) : pids_;
  for (const int pid : pids) {
    if (std::ranges::find(pids_, pid) == pids_.end()) source_->on_new_process(pid);
    // Maps are read after the events tell of changes, so that nothing falls between.
    processes_.follow(pid, started_ns_);
    watch_.add_process(pid);
  }
}

Result<void> CaptureSession::release_command() {
  LaunchedCommand& command = *targets_.command;
  FollowedProcess& process = processes_.follow(command.pid(), started_ns_);
  process.waits_for_exec = true;
  if (Result<void> released = command.release(); !released) {
    stop();
    return released;
  }
  if (report_.engine != CaptureEngine::ptrace) return {};
  // No record tells this engine of the exec, which is behind us now.
  process.waits_for_exec = false;
  processes_.refresh(command.pid(), clock_.monotonic_ns());
  return {};
}

Result<void> CaptureSession::drain() {
  const std::int64_t now = clock_.monotonic_ns();
  HPROF_TRY(source_->drain(consumer_, now));
  store_->set_covered_until(now);
  return {};
}

void CaptureSession::drop_ended(bool all) {
  if (targets_.command != nullptr) targets_.command->try_wait();
  std::vector<int> ended;
  for (const auto& [pid, process] : processes_.all()) {
    const bool suspect = all || process->leader_ended || watch_.has_ended(pid);
    if (suspect && !is_alive(modules_.proc(), pid)) ended.push_back(pid);
  }
  if (ended.empty()) return;
  account_.refresh();
  for (const int pid : ended) {
    processes_.forget(pid);
    watch_.remove_process(pid);
    source_->on_process_gone(pid);
  }
}

void CaptureSession::keep_cpu_cap(std::int64_t now) {
  if (!options_.max_cpu || now - cap_checked_ns_ < kCapEvery) return;
  const std::int64_t cpu = own_cpu_ns();
  const double percent = 100.0 * static_cast<double>(cpu - cap_cpu_ns_) /
                         static_cast<double>(now - cap_checked_ns_);
  const bool first = cap_checked_ns_ == 0;
  cap_checked_ns_ = now;
  cap_cpu_ns_ = cpu;
  if (first) return;
  unsigned slowdown = slowdown_;
  if (percent > *options_.max_cpu) slowdown = std::min(slowdown * 2, kMaxSlowdown);
  if (percent < *options_.max_cpu / 4 && slowdown > 1) slowdown /= 2;
  if (slowdown == slowdown_) return;
  slowdown_ = slowdown;
  source_->slow_down(slowdown);
}

Result<CpuSampler::State> CaptureSession::poll(std::chrono::milliseconds timeout) {
  if (phase_ != Phase::running) return State::targets_gone;
  const std::int64_t longest = source_->drain_every_ns() / 1'000'000;
  watch_.wait(static_cast<int>(std::clamp<std::int64_t>(timeout.count(), 0, longest)));
  HPROF_TRY(drain());
  const std::int64_t now = clock_.monotonic_ns();
  keep_cpu_cap(now);
  for (const auto& [pid, process] : processes_.all()) {
    if (!account_.knows(pid)) account_.add(pid, true);
  }
  const bool account_due = now - account_ns_ >= kAccountEvery;
  if (account_due) {
    account_ns_ = now;
    account_.refresh();
  }
  drop_ended(account_due);
  publish(now);
  return targets_.system || !processes_.all().empty() ? State::running : State::targets_gone;
}

void CaptureSession::stop() {
  if (phase_ != Phase::running) return;
  phase_ = Phase::stopped;
  source_->stop();
  account_.refresh();
  if (Result<void> drained = drain(); !drained) report_.lacks.push_back(drained.error().message);
  publish(clock_.monotonic_ns());
}

void CaptureSession::publish(std::int64_t now) {
  const SampleConsumer::Counts& counts = consumer_.counts();
  SamplerStats s;
  s.samples = counts.samples;
  s.lost = counts.lost;
  s.throttled = counts.throttled;
  s.truncated = counts.truncated;
  s.sampled_cpu_ns = counts.weight;
  s.target_cpu_ns = account_.total_ns();
  if (targets_.command != nullptr) {
    s.target_cpu_ns = std::max(s.target_cpu_ns, targets_.command->cpu_ns());
  }
  // The kernel's account cannot be asked for some threads or for everyone.
  const bool no_account = targets_.system || !targets_.threads.empty() || !options_.event.empty();
  if (no_account) s.target_cpu_ns = 0;
  s.own_cpu_ns = own_cpu_ns() - own_cpu_base_;
  s.longest_hold_ns = source_->longest_hold_ns();
  s.duration_ns = now - started_ns_;
  s.processes = processes_.ever_followed();
  s.live_processes = static_cast<std::uint32_t>(processes_.all().size());
  s.threads = consumer_.threads_seen();
  const std::lock_guard lock{stats_mutex_};
  stats_ = s;
}

SamplerStats CaptureSession::stats() const {
  const std::lock_guard lock{stats_mutex_};
  return stats_;
}

std::vector<std::string> CaptureSession::warnings() const {
  const SamplerStats s = stats();
  std::vector<std::string> out;
  if (s.lost != 0) {
    out.push_back(fmt::format("{} records lost: hprof did not get the CPU in time", s.lost));
  }
  if (s.throttled != 0) {
    out.push_back(fmt::format("the kernel throttled sampling {} times", s.throttled));
  }
  if (s.cpu_seen_percent() < 95 && s.samples >= 100) {
    out.push_back(fmt::format("the samples cover {:.0f} % of the CPU time the kernel charged",
                              s.cpu_seen_percent()));
  }
  if (slowdown_ > 1) {
    out.push_back(fmt::format("sampling was slowed down {} times to keep to the CPU limit",
                              slowdown_));
  }
  return out;
}

}  // namespace hprof
