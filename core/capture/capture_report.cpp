// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/capture/capture_report.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hprof {

std::string_view engine_name(CaptureEngine engine) {
  switch (engine) {
    case CaptureEngine::per_cpu:
      return "per-cpu";
    case CaptureEngine::per_thread:
      return "per-thread";
    case CaptureEngine::ptrace:
      return "ptrace";
    case CaptureEngine::automatic:
      break;
  }
  return "auto";
}

std::string CaptureReport::sentence() const {
  std::string out = fmt::format("{} {}, {} stacks", engine_name(engine), event,
                                kernel_frames ? "user and kernel" : "user");
  if (rings != 0) out += fmt::format(", {} rings of {} KiB", rings, ring_bytes / 1024);
  if (!refused.empty()) out += fmt::format("; because {}", fmt::join(refused, "; "));
  if (!lacks.empty()) out += fmt::format("; lacks {}", fmt::join(lacks, ", "));
  return out;
}

double SamplerStats::cpu_seen_percent() const {
  if (target_cpu_ns <= 0) return 100;
  return 100.0 * static_cast<double>(sampled_cpu_ns) / static_cast<double>(target_cpu_ns);
}

}  // namespace hprof
