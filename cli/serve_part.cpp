// SPDX-License-Identifier: Apache-2.0
#include "serve_part.h"

#include "capture_setup.h"

#include <hprof/core/target/proc_fs.h>
#include <hprof/formats/pprof.h>

#include <fmt/format.h>

#include <stdlib.h>

#include <utility>

namespace hprof::cli {
namespace {

constexpr std::size_t kMaxTokenBytes = 4096;
constexpr std::size_t kMinTokenLength = 8;

/// The token of --token-file, else of HPROF_TOKEN; empty: none.
Result<std::string> read_token(const ServeOptions& options) {
  std::string token;
  if (!options.token_file.empty()) {
    HPROF_ASSIGN(token, read_text_file(options.token_file, kMaxTokenBytes));
  } else if (const char* variable = ::getenv("HPROF_TOKEN"); variable != nullptr) {
    token = variable;
  }
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (!options.token_file.empty() && token.size() < kMinTokenLength) {
    return Error{ErrorKind::usage,
                 fmt::format("{}: a token of {} characters is too short", options.token_file,
                             token.size()),
                 fmt::format("write at least {} characters into it", kMinTokenLength)};
  }
  return token;
}

}  // namespace

Result<std::unique_ptr<ServePart>> ServePart::open(const Options& options,
                                                   std::unique_ptr<Symbolizer> symbolizer,
                                                   Log log) {
  HPROF_ASSIGN(ListenAddress address, ListenAddress::parse(options.serve.listen));
  HttpGuardOptions guard;
  HPROF_ASSIGN(guard.token, read_token(options.serve));
  guard.any_host = !address.unix_path.empty();
  if (!address.is_local()) {
    if (guard.token.empty() && !options.serve.allow_unauthenticated) {
      return Error{ErrorKind::usage,
                   fmt::format("{} can be reached from other machines, and there is no token",
                               address.text()),
                   "set --token-file or HPROF_TOKEN, listen on 127.0.0.1, or say"
                   " --allow-unauthenticated"};
    }
    log_line(log, LogLevel::warning,
             fmt::format("{} can be reached from other machines{}", address.text(),
                         guard.token.empty() ? ", by anybody: there is no token"
                                             : "; the token travels unencrypted"));
  }
  std::unique_ptr<ServePart> part{new ServePart};
  part->targets_ = std::make_unique<ServedTargets>(ServedTargets::Parts{
      .symbolizer = std::make_shared<SharedSymbolizer>(std::move(symbolizer)),
      .writer = std::make_shared<formats::PprofWriter>(),
      .limits = {.max_requests = static_cast<int>(options.serve.max_requests),
                 .max_time = std::chrono::duration_cast<std::chrono::seconds>(
                     options.serve.duration > 0s ? options.serve.duration : nanoseconds{1h})},
      .proc = ProcFs{options.target.proc_root}});
  part->http_ = std::make_unique<HttpService>(std::move(address), part->targets_->routes(),
                                              std::move(guard), HttpServerOptions{},
                                              std::move(log));
  return part;
}

void ServePart::stop() {
  // No request may come for a target that stops.
  static_cast<void>(http_->stop().has_value());
  targets_->stop();
}

std::string ServePart::url() const {
  const ListenAddress& address = http_->address();
  if (!address.unix_path.empty()) return address.text();
  return fmt::format("http://{}/", address.host.empty() ? fmt::format("0.0.0.0:{}", address.port)
                                                        : address.text());
}

}  // namespace hprof::cli
