// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/capture/cpu_sampler.h>

#include "capture_session.h"
#include "event_names.h"

#include <fmt/format.h>

namespace hprof {
namespace {

std::string event_unit(const SamplerOptions& options) {
  const Result<EventSpec> event = find_event(options.event, options.rate);
  return event ? event->unit : "count";
}

}  // namespace

Result<CaptureEngine> parse_engine(std::string_view name) {
  for (const CaptureEngine engine : {CaptureEngine::automatic, CaptureEngine::per_cpu,
                                     CaptureEngine::per_thread, CaptureEngine::ptrace}) {
    if (name == engine_name(engine)) return engine;
  }
  return Error{ErrorKind::usage, fmt::format("unknown engine '{}'", name),
               "known: auto per-cpu per-thread ptrace"};
}

StoreOptions CpuSampler::store_options(const SamplerOptions& options) {
  StoreOptions out;
  out.max_memory = options.max_memory;
  out.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  out.period = static_cast<std::int64_t>(1e9 / options.rate);
  if (!options.event.empty()) out.types.back() = {options.event, event_unit(options)};
  out.period_type = out.types.back();
  if (out.period_type.unit != "nanoseconds") out.period = 1;
  return out;
}

Result<std::unique_ptr<CpuSampler>> CpuSampler::open(const SamplerOptions& options,
                                                     const SamplerTargets& targets,
                                                     Unwinder& unwinder,
                                                     std::shared_ptr<SampleStore> store) {
  if (!(options.rate > 0) || options.rate > 1e6) {
    return Error{ErrorKind::usage,
                 fmt::format("a rate of {} samples a second is not possible", options.rate), {}};
  }
  if (store == nullptr) store = std::make_shared<SampleStore>(store_options(options));
  auto session = std::make_unique<CaptureSession>(options, targets, unwinder, std::move(store));
  HPROF_TRY(session->open());
  return std::unique_ptr<CpuSampler>{std::move(session)};
}

Result<CpuSampler::State> run_sampler(CpuSampler& sampler,
                                      std::optional<std::chrono::nanoseconds> duration,
                                      const std::function<bool()>& stop) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kStep{100};
  HPROF_TRY(sampler.start());
  const steady_clock::time_point begin = steady_clock::now();
  CpuSampler::State state = CpuSampler::State::running;
  while (state == CpuSampler::State::running) {
    std::chrono::milliseconds wait = kStep;
    if (duration) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          *duration - (steady_clock::now() - begin));
      if (left.count() <= 0) break;
      wait = std::min(wait, left);
    }
    HPROF_ASSIGN(state, sampler.poll(wait));
    if (stop && stop()) break;
  }
  sampler.stop();
  return state;
}

}  // namespace hprof
