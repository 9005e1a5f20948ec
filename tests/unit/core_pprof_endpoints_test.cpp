// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/http_guard.h>
#include <hprof/core/services/pprof_endpoints.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;

namespace {

class FakeProcess final : public ServedProcess {
 public:
  std::string command_line() const override { return std::string{"prog\0-x", 7}; }
  std::vector<ServedKind> kinds() const override {
    return {{.name = "profile", .description = "CPU <profile>", .sampled = true},
            {.name = "heap", .description = "h", .count = 7, .delta = true},
            {.name = "once", .description = "o"}};
  }
  std::string why_not(std::string_view kind) const override {
    return kind == "mutex" ? "mutex: not on this target" : "";
  }
  Result<std::string> over(std::string_view kind, std::chrono::nanoseconds time,
                           const Abandoned& /*abandoned*/) override {
    return std::string{kind} + " over " + std::to_string(time / std::chrono::seconds{1});
  }
  Result<std::string> now(std::string_view kind, int debug) override {
    return std::string{kind} + " now " + std::to_string(debug);
  }
  std::string symbol(std::uint64_t address) override { return address == 0x10 ? "main.f" : ""; }
};

HttpRequest request(std::string method, std::multimap<std::string, std::string> parameters,
                    std::string query = {}, std::string body = {}) {
  HttpRequest r;
  r.method = std::move(method);
  r.parameters = std::move(parameters);
  r.query = std::move(query);
  r.body = std::move(body);
  r.abandoned = [] { return false; };
  r.header = [](std::string_view) { return std::string{}; };
  return r;
}

std::string header_of(const HttpResponse& response, std::string_view name) {
  const auto found =
      std::ranges::find(response.headers, name, &std::pair<std::string, std::string>::first);
  return found == response.headers.end() ? "" : found->second;
}

struct Fixture {
  std::shared_ptr<std::atomic<int>> running = std::make_shared<std::atomic<int>>(0);
  PprofEndpoints endpoints{std::make_shared<FakeProcess>(),
                           running,
                           {.max_requests = 1, .max_time = std::chrono::seconds{100}}};
  HttpResponse get(std::string_view name, std::multimap<std::string, std::string> parameters = {}) {
    return endpoints.answer(request("GET", std::move(parameters)), name);
  }
};

}  // namespace

TEST_CASE("the CPU profile takes 30 seconds for every value that is no positive number") {
  Fixture f;
  for (const char* seconds : {"", "0", "-3", "x", "5s", "99999999999999999999"}) {
    CAPTURE(seconds);
    CHECK(f.get("profile", {{"seconds", seconds}}).body == "profile over 30");
  }
  const HttpResponse five = f.get("profile", {{"seconds", "+5"}});
  CHECK(five.body == "profile over 5");
  CHECK(five.content_type == "application/octet-stream");
  CHECK(header_of(five, "Content-Disposition") == "attachment; filename=\"profile\"");
  CHECK(header_of(five, "X-Content-Type-Options") == "nosniff");
  CHECK(f.get("profile", {{"seconds", "101"}}).status == 400);
}

TEST_CASE("named profiles answer debug, seconds and their bad combinations as Go does") {
  Fixture f;
  CHECK(f.get("heap").body == "heap now 0");
  CHECK(header_of(f.get("heap"), "Content-Disposition") == "attachment; filename=\"heap\"");
  const HttpResponse text = f.get("heap", {{"debug", "1"}});
  CHECK(text.body == "heap now 1");
  CHECK(text.content_type == "text/plain; charset=utf-8");
  CHECK(header_of(text, "Content-Disposition").empty());
  CHECK(f.get("heap", {{"debug", "zzz"}}).body == "heap now 0");
  CHECK(f.get("heap", {{"seconds", "2"}}).body == "heap over 2");
  CHECK(header_of(f.get("heap", {{"seconds", "2"}}), "Content-Disposition") ==
        "attachment; filename=\"heap-delta\"");
  CHECK(f.get("heap", {{"seconds", "0"}}).body ==
        "invalid value for \"seconds\" - must be a positive integer\n");
  CHECK(f.get("once", {{"seconds", "1"}}).body ==
        "\"seconds\" parameter is not supported for this profile type\n");
  const HttpResponse both = f.get("heap", {{"seconds", "1"}, {"debug", "1"}});
  CHECK(both.status == 400);
  CHECK(both.body == "seconds and debug params are incompatible\n");
  CHECK(header_of(both, "X-Go-Pprof") == "1");
}

TEST_CASE("what cannot be had is refused with a reason") {
  Fixture f;
  CHECK(f.get("nosuch").status == 404);
  CHECK(f.get("nosuch").body == "Unknown profile\n");
  CHECK(f.get("mutex").body == "mutex: not on this target\n");
  CHECK(f.get("trace").status == 501);
  CHECK(f.get("trace").body.starts_with("Could not enable tracing: "));
}

TEST_CASE("more profiles in the making than allowed get 503 and Retry-After") {
  Fixture f;
  *f.running = 1;
  const HttpResponse response = f.get("profile");
  CHECK(response.status == 503);
  CHECK_FALSE(header_of(response, "Retry-After").empty());
  CHECK(*f.running == 1);
}

TEST_CASE("symbols are found for addresses of a query and of a body") {
  Fixture f;
  CHECK(f.endpoints.answer(request("GET", {}, "0x10+0x20"), "symbol").body ==
        "num_symbols: 1\n0x10 main.f\n");
  CHECK(f.endpoints.answer(request("POST", {}, "", "16+020+zz"), "symbol").body ==
        "num_symbols: 1\n0x10 main.f\n0x10 main.f\n");
  CHECK(f.endpoints.answer(request("GET", {}), "symbol").body == "num_symbols: 1\n");
}

TEST_CASE("the index lists what there is, escaped, and the command line is joined by NUL") {
  Fixture f;
  const HttpResponse index = f.get("");
  CHECK(index.content_type == "text/html; charset=utf-8");
  CHECK(index.body.find("<tr><td>7</td><td><a href='heap?debug=1'>heap</a></td></tr>") !=
        std::string::npos);
  CHECK(index.body.find("CPU &lt;profile&gt;") != std::string::npos);
  CHECK(index.body.find("mutex") == std::string::npos);
  CHECK(f.get("cmdline").body.size() == 7);
}

TEST_CASE("only our own host names and the right token are let in") {
  std::vector<std::string> log;
  HttpGuard guard{{.token = "s3cret"}, [&](const std::string& line) { log.push_back(line); }};
  const auto ask = [&](std::string host, std::string authorization) {
    HttpRequest r = request("GET", {});
    r.peer = "10.0.0.1";
    r.header = [=](std::string_view name) { return name == "Host" ? host : authorization; };
    const auto refused = guard.check(r);
    return refused ? refused->status : 200;
  };
  CHECK(ask("evil.example:6060", "Bearer s3cret") == 403);
  CHECK(ask("localhost:7070", "Bearer s3cret") == 200);
  CHECK(ask("127.0.0.1:6060", "bearer s3cret") == 200);
  CHECK(ask("[::1]:6060", "Basic eDpzM2NyZXQ=") == 200);
  CHECK(ask("localhost", "Basic eDp3cm9uZw==") == 401);
  CHECK(ask("localhost", "Bearer s3cre") == 401);
  CHECK(ask("localhost", "Bearer s3cretx") == 401);
  CHECK(ask("localhost", "Bearer") == 401);
  CHECK(ask("localhost", "") == 401);
  CHECK(log.size() == 2);
}
