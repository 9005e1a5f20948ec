// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/http_server.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// One row of the index page.
struct ServedKind {
  std::string name;         ///< "heap"
  std::string description;  ///< one or two sentences
  std::int64_t count = 0;   ///< records in it now
  bool delta = false;       ///< `seconds=` gives the difference over that time
  bool sampled = false;     ///< lasts `seconds=` (30 without it), as the CPU profile does
};

/// A process behind the endpoints. Called from several threads at once.
class ServedProcess {
 public:
  using Abandoned = std::function<bool()>;

  virtual ~ServedProcess() = default;
  /// Arguments joined by NUL, as /proc/PID/cmdline without its last one.
  [[nodiscard]] virtual std::string command_line() const = 0;
  [[nodiscard]] virtual std::vector<ServedKind> kinds() const = 0;
  /// Why `kind`, one that hprof knows and this process has not, is missing; empty: unknown kind.
  [[nodiscard]] virtual std::string why_not(std::string_view kind) const = 0;
  /// A sampled kind over the time to come, or the delta of another kind. Encoded pprof.
  /// Ends early, with what there is, when `abandoned` says so.
  virtual Result<std::string> over(std::string_view kind, std::chrono::nanoseconds time,
                                   const Abandoned& abandoned) = 0;
  /// A kind as it is now: pprof for debug 0, else text in Go's layout.
  virtual Result<std::string> now(std::string_view kind, int debug) = 0;
  /// The name of the function at an address, or empty.
  virtual std::string symbol(std::uint64_t address) = 0;
};

struct PprofEndpointLimits {
  int max_requests = 16;                ///< profiles in the making; more get 503
  std::chrono::seconds max_time{3600};  ///< longest `seconds=`
};

/// The endpoints of Go's net/http/pprof below /debug/pprof/, for one process: same statuses,
/// headers and texts. Source: reference behaviour of net/http/pprof 1.19 to 1.27.
class PprofEndpoints {
 public:
  PprofEndpoints(std::shared_ptr<ServedProcess> process, std::shared_ptr<std::atomic<int>> running,
                 PprofEndpointLimits limits = {});

  /// Answers `name`, what follows "/debug/pprof/" in the path.
  HttpResponse answer(const HttpRequest& request, std::string_view name);

 private:
  HttpResponse index() const;
  HttpResponse symbols(const HttpRequest& request) const;
  HttpResponse sampled(const HttpRequest& request, const ServedKind& kind);
  HttpResponse delta(const HttpRequest& request, const ServedKind& kind);
  HttpResponse profile(const HttpRequest& request, const ServedKind& kind);
  HttpResponse made(Result<std::string> body, std::string_view filename) const;

  std::shared_ptr<ServedProcess> process_;
  std::shared_ptr<std::atomic<int>> running_;
  PprofEndpointLimits limits_;
};

}  // namespace hprof
