// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/capture_report.h>
#include <hprof/core/target/permissions.h>
#include <hprof/core/target/process_info.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::cli {

/// How bad a finding is.
enum class Health {
  good,     ///< works
  limited,  ///< something is missing from profiles
  bad,      ///< profiling does not work
};

/// One thing doctor looked at.
struct Finding {
  std::string name;  ///< "kernel frames"
  Health health = Health::good;
  std::string what;  ///< one line
  std::string fix;   ///< what to do, or empty
};

using Findings = std::vector<Finding>;

/// What the rung of the engine that was reached, and those that were refused, mean.
Finding engine_finding(const CaptureReport& report);

/// What the kernel's settings and our privileges allow.
Findings permission_findings(const Permissions& permissions);

/// What is special about a process, as far as /proc tells.
Findings process_findings(const ProcessInfo& process, const Permissions& permissions);

/// Whether every event fits the limit of open files on the per-thread rung.
Finding open_file_finding(const Permissions& permissions, std::uint64_t threads,
                          std::uint64_t cpus);

/// The worst of all.
Health worst(const Findings& findings);

}  // namespace hprof::cli
