// SPDX-License-Identifier: Apache-2.0
#include "http_stream.h"

#include <hprof/core/services/http_server.h>

#include <fmt/format.h>
#include <httplib.h>

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

namespace hprof {
namespace {

constexpr std::string_view kForm = "application/x-www-form-urlencoded";

/// The library's request parser and response writer, driven over our own stream: one object for
/// each connection.
class Exchange final : public httplib::Server {
 public:
  Exchange(HttpStream& stream, const HttpHandler& handler, const HttpServerOptions& options,
           const std::stop_token& stop)
      : stream_(stream), handler_(handler), stop_(stop) {
    const Handler answer = [this](const httplib::Request& in, httplib::Response& out) {
      reply(in, out);
    };
    Get(".*", answer).Post(".*", answer).Put(".*", answer).Patch(".*", answer);
    Delete(".*", answer).Options(".*", answer);
    set_payload_max_length(options.max_body);
  }

  /// Answers one request. False: the connection is over.
  bool serve_one() {
    bool closed = false;
    const auto setup = [](httplib::Request& in) {
      // Go's handlers know neither ranges nor compression of the answer.
      in.ranges.clear();
      in.headers.erase("Accept-Encoding");
      // The library caps form bodies at 8 KiB, and clients post long lists of addresses as forms.
      if (in.get_header_value("Content-Type").starts_with(kForm)) in.headers.erase("Content-Type");
    };
    return process_request(stream_, stop_.stop_requested(), closed, setup) && !closed;
  }

 private:
  void reply(const httplib::Request& in, httplib::Response& out) {
    HttpRequest request;
    request.method = in.method;
    request.path = in.path;
    const std::size_t mark = in.target.find('?');
    if (mark != std::string::npos) request.query = in.target.substr(mark + 1);
    request.body = in.body;
    request.parameters = {in.params.begin(), in.params.end()};
    request.header = [&in](std::string_view name) {
      return in.get_header_value(std::string{name});
    };
    request.peer = in.remote_addr;
    request.abandoned = [this] { return stop_.stop_requested() || stream_.peer_gone(); };
    HttpResponse response = handler_(request);
    out.status = response.status;
    for (const auto& [name, value] : response.headers) out.set_header(name, value);
    out.set_content(std::move(response.body), response.content_type);
  }

  HttpStream& stream_;
  const HttpHandler& handler_;
  const std::stop_token& stop_;
};

class Server final : public HttpServer {
 public:
  Server(UniqueFd listener, ListenAddress address, HttpHandler handler, HttpServerOptions options)
      : listener_(std::move(listener)),
        wake_(::eventfd(0, EFD_CLOEXEC)),
        address_(std::move(address)),
        handler_(std::move(handler)),
        options_(options) {}

  ~Server() override { stop(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(Server&&) = delete;

  void start() override {
    acceptor_ = std::jthread{[this](const std::stop_token& stop) { accept_all(stop); }};
  }

  void stop() override {
    if (!acceptor_.joinable()) return;
    acceptor_.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t put = ::write(wake_.get(), &one, sizeof one);
    acceptor_.join();
    listener_.reset();
    if (!address_.unix_path.empty()) ::unlink(address_.unix_path.c_str());
    // Threads are joined outside the lock: a connection takes it when it ends.
    std::list<Connection> rest;
    {
      const std::lock_guard lock{mutex_};
      for (Connection& connection : connections_) connection.thread.request_stop();
      rest.swap(connections_);
    }
  }

  [[nodiscard]] const ListenAddress& address() const override { return address_; }

 private:
  struct Connection {
    std::jthread thread;
    std::shared_ptr<std::atomic<bool>> done = std::make_shared<std::atomic<bool>>(false);
  };

  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::array<pollfd, 2> entries{pollfd{listener_.get(), POLLIN, 0},
                                    pollfd{wake_.get(), POLLIN, 0}};
      if (::poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR) return;
      if (stop.stop_requested()) return;
      UniqueFd fd{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
      if (fd.valid()) {
        admit(std::move(fd));
      } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
        // The connection stays in the backlog; do not spin on it.
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
      }
    }
  }

  void admit(UniqueFd fd) {
    const std::lock_guard lock{mutex_};
    connections_.remove_if([](const Connection& c) { return c.done->load(); });
    if (connections_.size() >= options_.max_connections) {
      constexpr std::string_view kBusy =
          "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
          "Content-Length: 0\r\n\r\n";
      ::send(fd.get(), kBusy.data(), kBusy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      return;
    }
    Connection& connection = connections_.emplace_back();
    connection.thread = std::jthread{
        [this, done = connection.done, fd = std::move(fd)](const std::stop_token& stop) mutable {
          serve(fd.get(), stop);
          fd.reset();
          done->store(true);
        }};
  }

  void serve(int fd, const std::stop_token& stop) {
    HttpStream stream{fd, options_};
    Exchange exchange{stream, handler_, options_, stop};
    while (stream.wait_for_request(stop)) {
      stream.begin_request();
      if (!exchange.serve_one()) return;
    }
  }

  UniqueFd listener_;
  UniqueFd wake_;
  ListenAddress address_;
  HttpHandler handler_;
  HttpServerOptions options_;
  std::mutex mutex_;
  std::list<Connection> connections_;
  std::jthread acceptor_;
};

}  // namespace

std::string HttpRequest::parameter(const std::string& name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string{} : found->second;
}

Result<std::unique_ptr<HttpServer>> HttpServer::open(ListenAddress address, HttpHandler handler,
                                                     HttpServerOptions options) {
  HPROF_ASSIGN(UniqueFd listener, listen_on(address));
  return std::unique_ptr<HttpServer>{std::make_unique<Server>(
      std::move(listener), std::move(address), std::move(handler), options)};
}

}  // namespace hprof
