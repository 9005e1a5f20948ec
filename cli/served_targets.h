// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/captured_process.h>
#include <hprof/core/services/http_service.h>
#include <hprof/core/services/live_history.h>
#include <hprof/core/services/pprof_endpoints.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hprof::cli {

/// The processes behind an HTTP server and what is asked of them: Go's endpoints, the data of the
/// live page, metrics. Targets come and go while requests run; what has ended keeps its history.
class ServedTargets {
 public:
  struct Parts {
    std::shared_ptr<SharedSymbolizer> symbolizer;
    std::shared_ptr<const ProfileWriter> writer;  ///< of pprof
    PprofEndpointLimits limits;
    ProcFs proc;
  };
  explicit ServedTargets(Parts parts);

  void add(int pid, const std::string& name, std::shared_ptr<CaptureService> capture);
  void ended(int pid);
  /// Stops the histories; nothing is sampled for them any more.
  void stop();

  /// The routes of the whole server.
  std::vector<HttpRoute> routes();

 private:
  struct Target {
    int pid = 0;
    std::string name;
    bool alive = true;
    std::shared_ptr<CaptureService> capture;
    std::shared_ptr<PprofEndpoints> endpoints;
    std::shared_ptr<LiveHistory> history;
  };

  [[nodiscard]] std::shared_ptr<Target> find(int pid) const;
  [[nodiscard]] std::shared_ptr<Target> first() const;
  [[nodiscard]] std::vector<std::shared_ptr<Target>> all() const;
  HttpResponse pprof(const HttpRequest& request, std::string_view rest);
  HttpResponse by_pid(const HttpRequest& request, std::string_view rest);
  HttpResponse targets() const;
  HttpResponse flame(const HttpRequest& request) const;
  HttpResponse download(const HttpRequest& request) const;
  HttpResponse metrics() const;
  /// The window a request asks for; with base_from and base_to the difference to that window.
  Result<Profile> window(const HttpRequest& request, bool& negative) const;

  Parts parts_;
  std::shared_ptr<std::atomic<int>> running_ = std::make_shared<std::atomic<int>>(0);
  mutable std::mutex mutex_;
  std::map<int, std::shared_ptr<Target>> targets_;
  int first_ = 0;  ///< pid of the target at /debug/pprof/: the first there was, or its follower
};

}  // namespace hprof::cli
