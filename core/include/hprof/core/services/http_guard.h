// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/http_server.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace hprof {

struct HttpGuardOptions {
  std::string token;      ///< empty: none is asked for
  bool any_host = false;  ///< on a unix socket, which no browser can be led to
};

/// Lets in only who may: a Host header that is an address or a name of this machine (against DNS
/// rebinding), and the token where there is one, as "Authorization: Bearer" or as the password of
/// basic authentication. Each cause of a refusal is logged once a minute for each client at most.
class HttpGuard {
 public:
  using Log = std::function<void(const std::string&)>;
  HttpGuard(HttpGuardOptions options, Log log);

  /// The refusal, or nothing: let it in. Thread safe.
  std::optional<HttpResponse> check(const HttpRequest& request);

 private:
  [[nodiscard]] bool host_is_ours(std::string_view host) const;
  [[nodiscard]] bool token_fits(const std::string& authorization) const;
  void log_once(const std::string& cause, const HttpRequest& request);

  HttpGuardOptions options_;
  Log log_;
  std::string machine_name_;
  std::mutex mutex_;
  std::map<std::string, std::chrono::steady_clock::time_point> logged_;
};

}  // namespace hprof
