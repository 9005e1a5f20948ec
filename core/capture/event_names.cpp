// SPDX-License-Identifier: Apache-2.0
#include "event_names.h"

#include "tracepoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace hprof {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

struct NamedEvent {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t config;
};

// Source: perf_event_open(2), "config"; the names are those of perf list.
constexpr NamedEvent kEvents[] = {
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
};

std::string known_names() {
  std::string out = "known:";
  for (const NamedEvent& event : kEvents) out += fmt::format(" {}", event.name);
  return out + ", system:tracepoint, rHEX";
}

bool is_clock(const EventSpec& event) {
  return event.type == PERF_TYPE_SOFTWARE && (event.config == PERF_COUNT_SW_CPU_CLOCK ||
                                              event.config == PERF_COUNT_SW_TASK_CLOCK);
}

/// Clocks tick at a fixed period; other events adapt theirs to the rate.
void set_rate(EventSpec& event, double rate) {
  if (is_clock(event)) {
    event.unit = "nanoseconds";
    event.period = static_cast<std::uint64_t>(kNanosecondsPerSecond / rate);
  } else {
    event.frequency = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rate));
  }
}

std::optional<EventSpec> find_raw(std::string_view name) {
  std::uint64_t config = 0;
  if (name.size() < 2 || name.front() != 'r') return std::nullopt;
  const char* const stop = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + 1, stop, config, 16);
  if (error != std::errc{} || end != stop) return std::nullopt;
  EventSpec event;
  event.type = PERF_TYPE_RAW;
  event.config = config;
  return event;
}

}  // namespace

Result<EventSpec> find_event(std::string_view name, double rate) {
  EventSpec event;
  event.name = name;
  const auto* const found = std::ranges::find(kEvents, name, &NamedEvent::name);
  if (found != std::end(kEvents)) {
    event.type = found->type;
    event.config = found->config;
  } else if (name.find(':') != std::string_view::npos) {
    HPROF_ASSIGN(const Tracepoint tracepoint, find_tracepoint(name));
    event.type = PERF_TYPE_TRACEPOINT;
    event.config = tracepoint.id;
    event.period = 1;
    return event;
  } else if (std::optional<EventSpec> raw = find_raw(name)) {
    event.type = raw->type;
    event.config = raw->config;
  } else {
    return Error{ErrorKind::usage, fmt::format("unknown event '{}'", name), known_names()};
  }
  set_rate(event, rate);
  return event;
}

Result<EventSpec> cpu_time_event(std::string_view clock, double rate) {
  if (clock != "auto" && clock != "cpu-clock" && clock != "task-clock" && clock != "cycles") {
    return Error{ErrorKind::usage, fmt::format("unknown clock '{}'", clock),
                 "known: auto cpu-clock task-clock cycles"};
  }
  HPROF_ASSIGN(EventSpec event, find_event(clock == "auto" ? "cpu-clock" : clock, rate));
  // A number of cycles is no time where the CPU changes its frequency; the rate is by time.
  if (!is_clock(event)) {
    event.fixed_weight = static_cast<std::int64_t>(kNanosecondsPerSecond / rate);
    event.unit = "nanoseconds";
  }
  return event;
}

}  // namespace hprof
