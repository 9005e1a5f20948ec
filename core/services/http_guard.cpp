// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/http_guard.h>

#include <fmt/format.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <strings.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kMaxLogged = 1000;
constexpr std::chrono::minutes kLogAgain{1};

bool equal_without_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

/// Takes as long for a wrong token as for a right one.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? '\0' : b[i % b.size()]);
  }
  return difference == 0;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

std::string decode_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = base64_value(c);
    if (value < 0) break;
    bits = (bits << 6) | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> count) & 0xff);
    }
  }
  return out;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

HttpResponse refusal(int status, std::string_view text) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = fmt::format("{}\n", text),
          .headers = {{"X-Go-Pprof", "1"}, {"X-Content-Type-Options", "nosniff"}}};
}

}  // namespace

HttpGuard::HttpGuard(HttpGuardOptions options, Log log)
    : options_(std::move(options)), log_(std::move(log)) {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) machine_name_ = name.data();
}

std::optional<HttpResponse> HttpGuard::check(const HttpRequest& request) {
  if (!options_.any_host && !host_is_ours(request.header("Host"))) {
    log_once("a Host header that is not ours", request);
    return refusal(403, "this server is not known by that host name");
  }
  if (!options_.token.empty() && !token_fits(request.header("Authorization"))) {
    log_once("a missing or wrong token", request);
    HttpResponse response = refusal(401, "a token is needed");
    response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"hprof\"");
    return response;
  }
  return std::nullopt;
}

bool HttpGuard::host_is_ours(std::string_view host) const {
  // The port is not compared: a forwarded one (ssh -L) is another, and the name is what rebinding
  // has to change. A request without Host comes from no browser.
  if (host.empty()) return true;
  if (host.starts_with('[')) {
    host = host.substr(1, host.find(']') - 1);
  } else {
    host = host.substr(0, host.rfind(':'));
  }
  // An address cannot be rebound to another.
  return equal_without_case(host, "localhost") || is_address(std::string{host}) ||
         (!machine_name_.empty() && equal_without_case(host, machine_name_));
}

bool HttpGuard::token_fits(const std::string& authorization) const {
  const std::string_view text = authorization;
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return false;
  const std::string_view scheme = text.substr(0, space);
  const std::string_view value = text.substr(text.find_first_not_of(' ', space));
  if (equal_without_case(scheme, "Bearer")) return equal_in_constant_time(value, options_.token);
  if (!equal_without_case(scheme, "Basic")) return false;
  const std::string pair = decode_base64(value);
  const std::size_t colon = pair.find(':');
  return colon != std::string::npos &&
         equal_in_constant_time(std::string_view{pair}.substr(colon + 1), options_.token);
}

void HttpGuard::log_once(const std::string& cause, const HttpRequest& request) {
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock{mutex_};
    if (logged_.size() > kMaxLogged) logged_.clear();
    const auto [entry, added] = logged_.try_emplace(cause + request.peer, now);
    if (!added && now - entry->second < kLogAgain) return;
    entry->second = now;
  }
  if (log_) log_(fmt::format("refused a request of {}: {}", request.peer, cause));
}

}  // namespace hprof
