// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/pprof_endpoints.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace hprof {
namespace {

constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::string_view kBinary = "application/octet-stream";
constexpr std::int64_t kDefaultSeconds = 30;

constexpr std::string_view kIndexHead = R"(<html>
<head>
<title>/debug/pprof/</title>
<style>
.profile-name{
	display:inline-block;
	width:6rem;
}
</style>
</head>
<body>
/debug/pprof/<br>
<br>
Types of profiles available:
<table>
<thead><td>Count</td><td>Profile</td></thead>
)";

HttpResponse plain(int status, std::string_view type, std::string body) {
  return {.status = status,
          .content_type = std::string{type},
          .body = std::move(body),
          .headers = {{"X-Content-Type-Options", "nosniff"}}};
}

// `go tool pprof` shows the text of an error only where X-Go-Pprof is set.
HttpResponse refuse(int status, std::string_view text) {
  HttpResponse response = plain(status, kText, fmt::format("{}\n", text));
  response.headers.emplace_back("X-Go-Pprof", "1");
  return response;
}

/// A decimal as Go's ParseInt reads it: all of the text or nothing, a plus sign allowed.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// An address as Go's ParseUint(text, 0, 64) reads it; 0 where it cannot.
std::uint64_t parse_address(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.starts_with('0')) {
    base = 8;
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&#34;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::unsupported:
      return 501;
    case ErrorKind::target_gone:
      return 404;
    default:
      return 500;
  }
}

/// One of the places for profiles in the making, given back at the end.
class Place {
 public:
  Place(std::atomic<int>& running, int limit) : running_(running), got_(++running <= limit) {}
  ~Place() { --running_; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  Place(Place&&) = delete;
  Place& operator=(Place&&) = delete;
  [[nodiscard]] bool got() const { return got_; }

 private:
  std::atomic<int>& running_;
  bool got_;
};

HttpResponse busy() {
  HttpResponse response = refuse(503, "too many profiles in the making, try again later");
  response.headers.emplace_back("Retry-After", "5");
  return response;
}

constexpr std::string_view kTooLong = "profile duration exceeds server's WriteTimeout";

}  // namespace

PprofEndpoints::PprofEndpoints(std::shared_ptr<ServedProcess> process,
                               std::shared_ptr<std::atomic<int>> running,
                               PprofEndpointLimits limits)
    : process_(std::move(process)), running_(std::move(running)), limits_(limits) {}

HttpResponse PprofEndpoints::answer(const HttpRequest& request, std::string_view name) {
  if (name.empty()) return index();
  if (name == "cmdline") return plain(200, kText, process_->command_line());
  if (name == "symbol") return symbols(request);
  if (name == "trace") {
    return refuse(501,
                  "Could not enable tracing: an execution trace is made inside the Go runtime"
                  " and cannot be had from outside the process");
  }
  for (const ServedKind& kind : process_->kinds()) {
    if (kind.name == name) return kind.sampled ? sampled(request, kind) : profile(request, kind);
  }
  const std::string reason = process_->why_not(name);
  return refuse(404, reason.empty() ? "Unknown profile" : reason);
}

HttpResponse PprofEndpoints::index() const {
  std::vector<ServedKind> rows = process_->kinds();
  rows.push_back(
      {.name = "cmdline", .description = "The command line invocation of the current program"});
  rows.push_back({.name = "symbol",
                  .description = "Maps given program counters to function names. Counters can be"
                                 " specified in a GET raw query or POST body, multiple counters"
                                 " are separated by '+'."});
  std::ranges::sort(rows, {}, &ServedKind::name);
  std::string page{kIndexHead};
  for (const ServedKind& row : rows) {
    page += fmt::format("<tr><td>{}</td><td><a href='{}?debug=1'>{}</a></td></tr>\n", row.count,
                        row.name, escape_html(row.name));
  }
  page += "</table>\n";
  if (std::ranges::find(rows, "goroutine", &ServedKind::name) != rows.end()) {
    page += "<a href=\"goroutine?debug=2\">full goroutine stack dump</a>\n";
  }
  page += "<br>\n<p>\nProfile Descriptions:\n<ul>\n";
  for (const ServedKind& row : rows) {
    page += fmt::format("<li><div class=profile-name>{}: </div> {}</li>\n", escape_html(row.name),
                        escape_html(row.description));
  }
  page += "</ul>\n</p>\n</body>\n</html>";
  return plain(200, "text/html; charset=utf-8", std::move(page));
}

HttpResponse PprofEndpoints::symbols(const HttpRequest& request) const {
  // Only whether the count is 0 matters to clients: "symbols can be had here".
  std::string body = "num_symbols: 1\n";
  std::string_view rest = request.method == "POST" ? request.body : request.query;
  while (!rest.empty()) {
    const std::size_t plus = std::min(rest.find('+'), rest.size());
    const std::uint64_t address = parse_address(rest.substr(0, plus));
    rest.remove_prefix(std::min(plus + 1, rest.size()));
    if (address == 0) continue;
    const std::string name = process_->symbol(address);
    if (!name.empty()) body += fmt::format("{:#x} {}\n", address, name);
  }
  return plain(200, kText, std::move(body));
}

HttpResponse PprofEndpoints::sampled(const HttpRequest& request, const ServedKind& kind) {
  const std::optional<std::int64_t> asked = parse_integer(request.parameter("seconds"));
  const std::int64_t seconds = asked && *asked > 0 ? *asked : kDefaultSeconds;
  if (seconds > limits_.max_time.count()) return refuse(400, kTooLong);
  const Place place{*running_, limits_.max_requests};
  if (!place.got()) return busy();
  return made(process_->over(kind.name, std::chrono::seconds{seconds}, request.abandoned),
              kind.name);
}

HttpResponse PprofEndpoints::delta(const HttpRequest& request, const ServedKind& kind) {
  const std::optional<std::int64_t> seconds = parse_integer(request.parameter("seconds"));
  if (!seconds || *seconds <= 0) {
    return refuse(400, "invalid value for \"seconds\" - must be a positive integer");
  }
  if (!kind.delta) {
    return refuse(400, "\"seconds\" parameter is not supported for this profile type");
  }
  if (*seconds > limits_.max_time.count()) return refuse(400, kTooLong);
  if (parse_integer(request.parameter("debug")).value_or(0) != 0) {
    return refuse(400, "seconds and debug params are incompatible");
  }
  const Place place{*running_, limits_.max_requests};
  if (!place.got()) return busy();
  return made(process_->over(kind.name, std::chrono::seconds{*seconds}, request.abandoned),
              kind.name + "-delta");
}

HttpResponse PprofEndpoints::profile(const HttpRequest& request, const ServedKind& kind) {
  if (!request.parameter("seconds").empty()) return delta(request, kind);
  const auto debug = static_cast<int>(
      std::clamp<std::int64_t>(parse_integer(request.parameter("debug")).value_or(0), -1, 2));
  const Place place{*running_, limits_.max_requests};
  if (!place.got()) return busy();
  Result<std::string> body = process_->now(kind.name, debug);
  if (!body || debug == 0) return made(std::move(body), kind.name);
  return plain(200, kText, *std::move(body));
}

HttpResponse PprofEndpoints::made(Result<std::string> body, std::string_view filename) const {
  if (!body) return refuse(status_of(body.error().kind), body.error().message);
  HttpResponse response = plain(200, kBinary, *std::move(body));
  response.headers.emplace_back("Content-Disposition",
                                fmt::format("attachment; filename=\"{}\"", filename));
  return response;
}

}  // namespace hprof
