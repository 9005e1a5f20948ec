// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/listen_address.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hprof {

/// One request, decoded. Header names are compared without case.
struct HttpRequest {
  std::string method;
  std::string path;   ///< percent-decoded, without the query
  std::string query;  ///< raw, after the '?'
  std::string body = {};
  std::multimap<std::string, std::string> parameters;   ///< of the query and a form body
  std::function<std::string(std::string_view)> header;  ///< the value, or empty
  std::string peer;                                     ///< address of the client, for the log

  /// True once the server stops or the client has gone: a long answer is then not worth waiting
  /// for. To be asked now and then by a handler that waits.
  std::function<bool()> abandoned;

  /// The first value of a parameter, or empty.
  [[nodiscard]] std::string parameter(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = {};
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpServerOptions {
  std::size_t max_connections = 256;              ///< more are told 503 and closed
  std::chrono::milliseconds header_time{10'000};  ///< for a whole request to arrive
  std::chrono::milliseconds idle_time{60'000};    ///< between requests of one connection
  std::chrono::milliseconds write_time{30'000};   ///< without any progress
  std::size_t max_body = std::size_t{1} << 20;
};

/// An HTTP/1.1 server: one thread accepts, each connection has its own. The handler is called from
/// connection threads, several at once. Bad requests never reach it.
class HttpServer {
 public:
  /// Binds and listens; connections wait until start(). Errors: what bind(2) says, with the
  /// address.
  static Result<std::unique_ptr<HttpServer>> open(ListenAddress address, HttpHandler handler,
                                                  HttpServerOptions options = {});
  virtual ~HttpServer() = default;

  virtual void start() = 0;
  /// Refuses new connections, abandons requests in the making, waits for their threads. Idempotent.
  virtual void stop() = 0;
  /// Where it listens, the port resolved.
  [[nodiscard]] virtual const ListenAddress& address() const = 0;

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  HttpServer(HttpServer&&) = delete;
  HttpServer& operator=(HttpServer&&) = delete;

 protected:
  HttpServer() = default;
};

}  // namespace hprof
