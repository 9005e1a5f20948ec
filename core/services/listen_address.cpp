// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/listen_address.h>

#include <fmt/format.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <memory>

namespace hprof {
namespace {

constexpr int kBacklog = 128;

Error bad_address(std::string_view text, std::string_view what) {
  return {ErrorKind::usage, fmt::format("listen address '{}': {}", text, what),
          "write HOST:PORT, for example 127.0.0.1:6060, or unix:PATH"};
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<AddressList> resolve(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(address.host.empty() ? nullptr : address.host.c_str(),
                                   std::to_string(address.port).c_str(), &hints, &found);
  if (status != 0) {
    return Error{ErrorKind::failed,
                 fmt::format("cannot listen on {}: {}", address.text(), ::gai_strerror(status)),
                 {}};
  }
  return AddressList{found, &::freeaddrinfo};
}

Result<UniqueFd> bind_socket(int family, const sockaddr* where, socklen_t size,
                             const std::string& text) {
  UniqueFd fd{::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!fd.valid()) return system_error(errno, fmt::format("cannot listen on {}", text));
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd.get(), where, size) != 0 || ::listen(fd.get(), kBacklog) != 0) {
    return system_error(errno, fmt::format("cannot listen on {}", text));
  }
  return fd;
}

bool somebody_answers(const sockaddr_un& where) {
  const UniqueFd probe{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
}

Result<UniqueFd> listen_unix(const ListenAddress& address) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  if (address.unix_path.size() >= sizeof where.sun_path) {
    return bad_address(address.text(), "the path is too long for a unix socket");
  }
  memcpy(where.sun_path, address.unix_path.data(), address.unix_path.size());
  struct stat status {};
  if (::lstat(where.sun_path, &status) == 0 && S_ISSOCK(status.st_mode) &&
      !somebody_answers(where)) {
    ::unlink(where.sun_path);
  }
  // The mode is set by umask at bind, so that there is no moment in which others may connect.
  const mode_t old_mask = ::umask(0177);
  auto fd =
      bind_socket(AF_UNIX, reinterpret_cast<const sockaddr*>(&where), sizeof where, address.text());
  ::umask(old_mask);
  return fd;
}

}  // namespace

Result<ListenAddress> ListenAddress::parse(std::string_view text) {
  ListenAddress address;
  if (text.starts_with("unix:")) {
    address.unix_path = text.substr(5);
    if (address.unix_path.empty()) return bad_address(text, "no path");
    return address;
  }
  const std::size_t colon = text.rfind(':');
  if (text.empty() || colon == std::string_view::npos) return bad_address(text, "no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return bad_address(text, "an IPv6 address stands in brackets");
  }
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || error != std::errc{} || end != port.data() + port.size()) {
    return bad_address(text, "the port is no number from 0 to 65535");
  }
  address.host = host;
  return address;
}

bool ListenAddress::is_local() const {
  if (!unix_path.empty() || host == "localhost" || host == "::1") return true;
  in_addr v4{};
  return ::inet_pton(AF_INET, host.c_str(), &v4) == 1 && (ntohl(v4.s_addr) >> 24) == 127;
}

std::string ListenAddress::text() const {
  if (!unix_path.empty()) return "unix:" + unix_path;
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

Result<UniqueFd> listen_on(ListenAddress& address) {
  if (!address.unix_path.empty()) return listen_unix(address);
  HPROF_ASSIGN(const AddressList list, resolve(address));
  Result<UniqueFd> fd = Error{ErrorKind::failed, "no address", {}};
  for (const addrinfo* at = list.get(); at != nullptr; at = at->ai_next) {
    fd = bind_socket(at->ai_family, at->ai_addr, at->ai_addrlen, address.text());
    if (fd) break;
  }
  if (!fd) return fd;
  sockaddr_storage real{};
  socklen_t size = sizeof real;
  ::getsockname(fd->get(), reinterpret_cast<sockaddr*>(&real), &size);
  address.port =
      ntohs(real.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&real)->sin6_port
                                       : reinterpret_cast<const sockaddr_in*>(&real)->sin_port);
  return fd;
}

}  // namespace hprof
