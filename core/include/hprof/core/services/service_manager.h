// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/service.h>

#include <memory>
#include <vector>

namespace hprof {

struct ServiceStatus {
  std::string name;
  ServiceState state = ServiceState::stopped;
  std::string detail;
};

/// Runs named services: starts them in the order in which they were added, stops them in the
/// reverse order. Not thread safe. No globals: a program may have several.
class ServiceManager {
 public:
  ServiceManager() = default;
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;
  ServiceManager(ServiceManager&&) = delete;
  ServiceManager& operator=(ServiceManager&&) = delete;
  /// Stops what still runs; errors are lost then.
  ~ServiceManager();

  /// Takes a service over. Errors: failed if one of that name is there, or the manager is running.
  Result<void> add(std::unique_ptr<Service> service);
  /// Starts all. Where one fails, those started before it are stopped in reverse order and the
  /// error is "cannot start service <name>: ...". Errors: also failed if already running.
  Result<void> start();
  /// Stops all that run, the last first, whatever fails on the way. Returns the first error.
  Result<void> stop();
  [[nodiscard]] bool running() const { return started_ > 0; }
  /// By name, or nullptr.
  [[nodiscard]] Service* find(std::string_view name) const;
  [[nodiscard]] std::vector<ServiceStatus> status() const;

 private:
  std::vector<std::unique_ptr<Service>> services_;
  std::size_t started_ = 0;
};

}  // namespace hprof
