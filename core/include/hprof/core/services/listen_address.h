// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/base/unique_fd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace hprof {

/// Where a server listens: "127.0.0.1:6060", "[::1]:6060", "localhost:6060", ":6060" (every
/// interface) or "unix:PATH".
struct ListenAddress {
  std::string host;        ///< empty: every interface
  std::uint16_t port = 0;  ///< 0: any free one
  std::string unix_path;   ///< not empty: a unix socket, and nothing else counts

  /// Errors: usage, naming the text and what is expected. The empty text is refused, because
  /// other programs take it as port 80 on every interface.
  static Result<ListenAddress> parse(std::string_view text);

  /// Only this machine can reach it: a unix socket or a loopback address.
  [[nodiscard]] bool is_local() const;
  /// The text form, for messages and URLs.
  [[nodiscard]] std::string text() const;
};

/// A listening socket. A unix socket has mode 0600, and a stale one in its place (nobody answers)
/// is replaced. `address.port` becomes the real port.
/// Errors: what bind(2) says, naming the address.
Result<UniqueFd> listen_on(ListenAddress& address);

}  // namespace hprof
