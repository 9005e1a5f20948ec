// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Which way samples are taken: a rung of the ladder, best first.
enum class CaptureEngine : std::uint8_t {
  automatic,   ///< choose (only in options)
  per_cpu,     ///< one timer on each CPU, filtered in the kernel: sees short threads as they are
  per_thread,  ///< one event on each thread and CPU, inherited by new threads
  ptrace,      ///< short stops on a timer
};

/// "per-cpu", "per-thread", "ptrace", "auto".
std::string_view engine_name(CaptureEngine engine);
/// The inverse. Errors: usage, with the known names.
Result<CaptureEngine> parse_engine(std::string_view name);

/// What was chosen, why, and what it cannot see.
struct CaptureReport {
  CaptureEngine engine = CaptureEngine::automatic;
  std::string event;                 ///< "cpu-clock", "cycles", ...
  bool kernel_frames = false;
  std::uint64_t ring_bytes = 0;      ///< of each ring
  unsigned rings = 0;
  /// Why better rungs were refused, best first, one line each; empty on the first rung.
  std::vector<std::string> refused;
  /// What the chosen rung does not see, one line each.
  std::vector<std::string> lacks;

  /// One line for people: "per-cpu cpu-clock events, 99 Hz, user and kernel stacks" or with
  /// "; because ...; without ...".
  [[nodiscard]] std::string sentence() const;
};

/// Counters of a running or finished sampler.
struct SamplerStats {
  std::uint64_t samples = 0;
  std::uint64_t lost = 0;
  std::uint64_t throttled = 0;
  std::uint64_t truncated = 0;
  std::int64_t sampled_cpu_ns = 0;  ///< what the samples stand for
  std::int64_t target_cpu_ns = 0;   ///< what the kernel charged the targets meanwhile
  std::int64_t own_cpu_ns = 0;      ///< of this whole process since the sampler was opened
  std::int64_t longest_hold_ns = 0;  ///< the longest a thread of the target was held (ptrace only)
  std::int64_t duration_ns = 0;
  std::uint32_t processes = 0;      ///< ever seen
  std::uint32_t live_processes = 0;
  std::uint32_t threads = 0;        ///< ever sampled

  /// Sampled CPU time in percent of the kernel's account; 100 if the targets used none.
  [[nodiscard]] double cpu_seen_percent() const;
};

}  // namespace hprof
