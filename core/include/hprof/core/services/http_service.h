// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/log.h>
#include <hprof/core/services/http_guard.h>
#include <hprof/core/services/http_server.h>
#include <hprof/core/services/service.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hprof {

/// One row of the routing table. A path that ends in '/' takes everything below it; the longest
/// that fits wins. The handler gets what follows the path.
struct HttpRoute {
  std::string path;
  std::function<HttpResponse(const HttpRequest&, std::string_view rest)> handler;
};

/// Serves routes behind a guard, as a service.
class HttpService final : public Service {
 public:
  HttpService(ListenAddress address, std::vector<HttpRoute> routes, HttpGuardOptions guard,
              HttpServerOptions options, Log log);

  [[nodiscard]] std::string name() const override { return "http"; }
  Result<void> start() override;
  Result<void> stop() override;
  [[nodiscard]] ServiceState state() const override { return state_; }
  [[nodiscard]] std::string status() const override;
  /// Where it listens; the port is resolved once it runs.
  [[nodiscard]] const ListenAddress& address() const { return address_; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  HttpResponse answer(const HttpRequest& request);

  ListenAddress address_;
  std::vector<HttpRoute> routes_;
  HttpGuard guard_;
  HttpServerOptions options_;
  std::unique_ptr<HttpServer> server_;
  std::atomic<ServiceState> state_ = ServiceState::stopped;
  std::atomic<std::uint64_t> requests_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace hprof
