// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/http_server.h>

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <atomic>
#include <string>
#include <thread>

using namespace hprof;
using namespace std::chrono_literals;

namespace {

UniqueFd connect_to(const ListenAddress& address) {
  UniqueFd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(address.port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd.get(), reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
  return fd;
}

void send_text(const UniqueFd& fd, std::string_view text) {
  REQUIRE(::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
}

std::string read_rest(const UniqueFd& fd) {
  std::string all;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::recv(fd.get(), buffer, sizeof buffer, 0);
    if (got <= 0) return all;
    all.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string ask(const ListenAddress& address, std::string_view request) {
  const UniqueFd fd = connect_to(address);
  send_text(fd, request);
  ::shutdown(fd.get(), SHUT_WR);
  return read_rest(fd);
}

HttpResponse echo(const HttpRequest& request) {
  return {.status = 200,
          .content_type = "text/plain; charset=utf-8",
          .body = request.method + " " + request.path + " q=" + request.query + " " + request.body,
          .headers = {{"X-Test", "yes"}}};
}

std::unique_ptr<HttpServer> serve(HttpHandler handler, HttpServerOptions options = {}) {
  auto server = HttpServer::open(*ListenAddress::parse("127.0.0.1:0"), std::move(handler), options);
  REQUIRE(server.has_value());
  (*server)->start();
  return *std::move(server);
}

}  // namespace

TEST_CASE("listen addresses are read, and the empty one is refused") {
  CHECK(ListenAddress::parse("127.0.0.1:6060")->text() == "127.0.0.1:6060");
  CHECK(ListenAddress::parse("[::1]:80")->host == "::1");
  CHECK(ListenAddress::parse("unix:/run/x")->unix_path == "/run/x");
  CHECK(ListenAddress::parse(":6060")->host.empty());
  CHECK_FALSE(ListenAddress::parse(":6060")->is_local());
  CHECK_FALSE(ListenAddress::parse("0.0.0.0:6060")->is_local());
  CHECK(ListenAddress::parse("127.9.9.9:1")->is_local());
  for (const char* bad : {"", "127.0.0.1", "::1:80", "a:b", "a:99999", "unix:", "a:"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(ListenAddress::parse(bad).has_value());
    CHECK(ListenAddress::parse(bad).error().kind == ErrorKind::usage);
  }
}

TEST_CASE("a request reaches the handler decoded and the answer has a length") {
  const auto server = serve(echo);
  const std::string got = ask(server->address(),
                              "POST /a%20b?seconds=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
                              "Accept-Encoding: gzip\r\nRange: bytes=0-1\r\n\r\nabc");
  CHECK(got.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(got.find("POST /a b q=seconds=1 abc") != std::string::npos);
  CHECK(got.find("X-Test: yes") != std::string::npos);
  CHECK(got.find("Content-Encoding") == std::string::npos);
}

TEST_CASE("a port in use is an error that names the address") {
  const auto server = serve(echo);
  const auto second = HttpServer::open(server->address(), echo);
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().message.find(server->address().text()) != std::string::npos);
}

TEST_CASE("a client that sends its request too slowly is cut off") {
  const auto server = serve(echo, {.header_time = 300ms});
  const UniqueFd fd = connect_to(server->address());
  const auto began = std::chrono::steady_clock::now();
  std::string request = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 20; ++i) {
    if (::send(fd.get(), &request[static_cast<std::size_t>(i)], 1, MSG_NOSIGNAL) != 1) break;
    std::this_thread::sleep_for(50ms);
  }
  const std::string got = read_rest(fd);
  CHECK(std::chrono::steady_clock::now() - began < 3s);
  CHECK(got.find("200") == std::string::npos);
}

TEST_CASE("more connections than allowed are told to come back") {
  const auto server = serve(echo, {.max_connections = 2, .idle_time = 5s});
  const UniqueFd one = connect_to(server->address());
  const UniqueFd two = connect_to(server->address());
  std::this_thread::sleep_for(100ms);
  const std::string got = read_rest(connect_to(server->address()));
  CHECK(got.starts_with("HTTP/1.1 503"));
}

TEST_CASE("a waiting handler hears that its client has gone, and stop() does not hang on it") {
  std::atomic<int> ended = 0;
  const auto server = serve([&](const HttpRequest& request) {
    while (!request.abandoned()) std::this_thread::sleep_for(10ms);
    ++ended;
    return HttpResponse{.status = 200, .content_type = "text/plain", .body = "late"};
  });
  {
    const UniqueFd fd = connect_to(server->address());
    send_text(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    std::this_thread::sleep_for(100ms);
  }
  for (int i = 0; i < 100 && ended == 0; ++i) std::this_thread::sleep_for(20ms);
  CHECK(ended == 1);
  const UniqueFd other = connect_to(server->address());
  send_text(other, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(100ms);
  server->stop();
  CHECK(ended == 2);
}

TEST_CASE("garbage and oversized requests get no answer of the handler and no crash") {
  std::atomic<int> calls = 0;
  const auto server = serve([&](const HttpRequest& request) { return ++calls, echo(request); });
  CHECK(ask(server->address(), "BREW / HTTP/1.1\r\n\r\n").find("200 OK") == std::string::npos);
  CHECK(ask(server->address(), std::string(1 << 20, 'A')).find("200 OK") == std::string::npos);
  const std::string long_header =
      "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(100'000, 'b') + "\r\n\r\n";
  CHECK(ask(server->address(), long_header).find("200 OK") == std::string::npos);
  CHECK(calls == 0);
}

TEST_CASE("a unix socket is private, and a stale one is replaced") {
  const std::string path = "/tmp/hprof-test-" + std::to_string(::getpid()) + ".sock";
  auto server = HttpServer::open(*ListenAddress::parse("unix:" + path), echo);
  REQUIRE(server.has_value());
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK_FALSE(HttpServer::open(*ListenAddress::parse("unix:" + path), echo).has_value());
  (*server)->start();
  (*server)->stop();
  CHECK(::stat(path.c_str(), &status) != 0);
  const UniqueFd stale{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  path.copy(where.sun_path, sizeof where.sun_path - 1);
  REQUIRE(::bind(stale.get(), reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
  CHECK(HttpServer::open(*ListenAddress::parse("unix:" + path), echo).has_value());
  ::unlink(path.c_str());
}
