// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/http_service.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

HttpResponse not_found() {
  return {.status = 404,
          .content_type = "text/plain; charset=utf-8",
          .body = "404 page not found\n",
          .headers = {{"X-Content-Type-Options", "nosniff"}}};
}

/// "/a" is where "/a/" is.
HttpResponse moved(const std::string& path) {
  return {.status = 301,
          .content_type = "text/html; charset=utf-8",
          .body = fmt::format("<a href=\"{}\">Moved Permanently</a>.\n\n", path),
          .headers = {{"Location", path}}};
}

/// A path with "." and ".." in it is sent to what it means, as Go's router does.
bool is_clean(const std::string& path) {
  return path.find("//") == std::string::npos && path.find("/./") == std::string::npos &&
         path.find("/../") == std::string::npos && !path.ends_with("/..") && !path.ends_with("/.");
}

std::string cleaned(const std::string& path) {
  std::vector<std::string_view> parts;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
  }
  std::string out = fmt::format("/{}", fmt::join(parts, "/"));
  if (path.ends_with('/') && out.size() > 1) out += '/';
  return out;
}

}  // namespace

HttpService::HttpService(ListenAddress address, std::vector<HttpRoute> routes,
                         HttpGuardOptions guard, HttpServerOptions options, Log log)
    : address_(std::move(address)),
      routes_(std::move(routes)),
      guard_(std::move(guard),
             [log = std::move(log)](const std::string& line) {
               log_line(log, LogLevel::warning, line);
             }),
      options_(options) {
  std::ranges::sort(routes_, std::greater<>{}, [](const HttpRoute& r) { return r.path.size(); });
}

Result<void> HttpService::start() {
  HPROF_ASSIGN(
      server_,
      HttpServer::open(
          address_, [this](const HttpRequest& request) { return answer(request); }, options_));
  address_ = server_->address();
  server_->start();
  state_ = ServiceState::running;
  return {};
}

Result<void> HttpService::stop() {
  if (server_) server_->stop();
  server_.reset();
  state_ = ServiceState::stopped;
  return {};
}

std::string HttpService::status() const {
  return fmt::format("{}, {} requests, {} refused", address_.text(), requests_.load(),
                     refused_.load());
}

HttpResponse HttpService::answer(const HttpRequest& request) {
  ++requests_;
  if (auto refusal = guard_.check(request)) {
    ++refused_;
    return *std::move(refusal);
  }
  if (!is_clean(request.path)) return moved(cleaned(request.path));
  const std::string_view path = request.path;
  for (const HttpRoute& route : routes_) {
    const bool below = route.path.ends_with('/');
    if (below ? path.starts_with(route.path) : path == route.path) {
      return route.handler(request, path.substr(route.path.size()));
    }
    if (below && path == std::string_view{route.path}.substr(0, route.path.size() - 1)) {
      return moved(route.path);
    }
  }
  return not_found();
}

}  // namespace hprof
