// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/http_server.h>

#include <httplib.h>

#include <array>
#include <chrono>
#include <stop_token>

namespace hprof {

/// A connected socket with a deadline on everything it waits for, so that no client can hold a
/// thread by being slow. The library's own stream has a timeout for each read only, which one byte
/// now and then defeats.
class HttpStream final : public httplib::Stream {
 public:
  HttpStream(int fd, const HttpServerOptions& options);

  /// Waits for the first byte of the next request. False: nothing came, or `stop` asked.
  bool wait_for_request(const std::stop_token& stop);
  /// From now on the whole request must arrive within the header time.
  void begin_request();
  /// The client closed its side or reset the connection.
  [[nodiscard]] bool peer_gone() const;

  [[nodiscard]] bool is_readable() const override;
  [[nodiscard]] bool is_writable() const override;
  ssize_t read(char* data, std::size_t size) override;
  ssize_t write(const char* data, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return fd_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  [[nodiscard]] bool wait(short events, Time until) const;

  int fd_;
  const HttpServerOptions& options_;
  Time read_deadline_{};
  // The library reads its request byte by byte; a buffer spares a system call for each.
  std::array<char, 4096> buffer_{};
  std::size_t buffered_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace hprof
