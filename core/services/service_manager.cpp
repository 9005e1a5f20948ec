// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/service_manager.h>

#include <fmt/format.h>

#include <algorithm>

namespace hprof {

std::string_view service_state_name(ServiceState state) {
  switch (state) {
    case ServiceState::stopped:
      return "stopped";
    case ServiceState::running:
      return "running";
    case ServiceState::failed:
      return "failed";
  }
  return "?";
}

ServiceManager::~ServiceManager() {
  if (const Result<void> lost = stop(); !lost) {
    // Nobody is left to hear it; whoever cares calls stop().
  }
}

Service* ServiceManager::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      services_, [name](const std::unique_ptr<Service>& s) { return s->name() == name; });
  return found == services_.end() ? nullptr : found->get();
}

Result<void> ServiceManager::add(std::unique_ptr<Service> service) {
  if (running()) return Error{ErrorKind::failed, "services are added before they are started", {}};
  if (find(service->name()) != nullptr) {
    return Error{ErrorKind::failed, fmt::format("there is a service {} already", service->name()),
                 {}};
  }
  services_.push_back(std::move(service));
  return {};
}

Result<void> ServiceManager::start() {
  if (running()) return Error{ErrorKind::failed, "the services run already", {}};
  for (const std::unique_ptr<Service>& service : services_) {
    const Result<void> done = service->start();
    if (!done) {
      const Error why = done.error().within(
          fmt::format("cannot start service {}", service->name()));
      if (const Result<void> lost = stop(); !lost) {
        // The failed start is what the caller must hear; it came first.
      }
      return why;
    }
    ++started_;
  }
  return {};
}

Result<void> ServiceManager::stop() {
  Result<void> first;
  while (started_ > 0) {
    Service& service = *services_[--started_];
    Result<void> done = service.stop();
    if (!done && first) {
      first = done.error().within(fmt::format("cannot stop service {}", service.name()));
    }
  }
  return first;
}

std::vector<ServiceStatus> ServiceManager::status() const {
  std::vector<ServiceStatus> out;
  out.reserve(services_.size());
  for (const std::unique_ptr<Service>& service : services_) {
    out.push_back({service->name(), service->state(), service->status()});
  }
  return out;
}

}  // namespace hprof
