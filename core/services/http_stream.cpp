// SPDX-License-Identifier: Apache-2.0
#include "http_stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <algorithm>

namespace hprof {
namespace {

using Clock = std::chrono::steady_clock;

void describe(const sockaddr_storage& address, std::string& ip, int& port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address);
    ip = ::inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
    port = ntohs(v4->sin_port);
  } else if (address.ss_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address);
    ip = ::inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
    port = ntohs(v6->sin6_port);
  } else {
    ip = "unix";
    port = 0;
  }
}

}  // namespace

HttpStream::HttpStream(int fd, const HttpServerOptions& options) : fd_(fd), options_(options) {
  begin_request();
}

void HttpStream::begin_request() {
  read_deadline_ = Clock::now() + options_.header_time;
}

bool HttpStream::wait(short events, Time until) const {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd entry{fd_, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool HttpStream::wait_for_request(const std::stop_token& stop) {
  if (taken_ < buffered_) return true;
  const Time until = Clock::now() + options_.idle_time;
  while (!stop.stop_requested() && Clock::now() < until) {
    if (wait(POLLIN, std::min(until, Clock::now() + std::chrono::milliseconds{100}))) return true;
  }
  return false;
}

bool HttpStream::peer_gone() const {
  if (taken_ < buffered_) return false;
  char byte = 0;
  const ssize_t got = ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

bool HttpStream::is_readable() const {
  return taken_ < buffered_ || wait(POLLIN, read_deadline_);
}

bool HttpStream::is_writable() const {
  return wait(POLLOUT, Clock::now() + options_.write_time);
}

ssize_t HttpStream::read(char* data, std::size_t size) {
  if (taken_ == buffered_) {
    for (;;) {
      if (!wait(POLLIN, read_deadline_)) return -1;
      const ssize_t got = ::recv(fd_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0 && (got == 0 || (errno != EINTR && errno != EAGAIN))) return got;
      if (got <= 0) continue;
      taken_ = 0;
      buffered_ = static_cast<std::size_t>(got);
      break;
    }
  }
  const std::size_t count = std::min(size, buffered_ - taken_);
  memcpy(data, buffer_.data() + taken_, count);
  taken_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t HttpStream::write(const char* data, std::size_t size) {
  for (;;) {
    if (!is_writable()) return -1;
    const ssize_t put = ::send(fd_, data, size, MSG_NOSIGNAL);
    if (put >= 0 || (errno != EINTR && errno != EAGAIN)) return put;
  }
}

void HttpStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getpeername(fd_, reinterpret_cast<sockaddr*>(&address), &size);
  describe(address, ip, port);
}

void HttpStream::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
  describe(address, ip, port);
}

}  // namespace hprof
