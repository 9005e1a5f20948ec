// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <string>
#include <string_view>

namespace hprof {

enum class ServiceState { stopped, running, failed };

/// "stopped", "running", "failed".
std::string_view service_state_name(ServiceState state);

/// Something that runs until it is told to stop. One thread calls start() and stop(); status() may
/// be asked from any.
class Service {
 public:
  virtual ~Service() = default;

  /// A name of its own in a manager: "dump", "http".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Returns once the work has begun. After an error nothing of it is left running.
  virtual Result<void> start() = 0;
  /// Ends every thread and timer first, then writes what there is. Idempotent; a stopped service
  /// may be started again. The error is what could not be written; the service is stopped anyway.
  virtual Result<void> stop() = 0;
  [[nodiscard]] virtual ServiceState state() const = 0;
  /// One line for people: what it does now, what went wrong last.
  [[nodiscard]] virtual std::string status() const { return {}; }

  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  Service(Service&&) = delete;
  Service& operator=(Service&&) = delete;

 protected:
  Service() = default;
};

}  // namespace hprof
