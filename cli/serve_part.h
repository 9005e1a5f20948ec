// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "served_targets.h"

#include <hprof/core/base/log.h>
#include <hprof/core/services/http_service.h>

#include <memory>
#include <string>

namespace hprof::cli {

/// The HTTP side of a capture session: the server, its guard, and the targets behind it.
class ServePart {
 public:
  /// Errors: usage (an address that is none; one that others can reach without a token or
  /// --allow-unauthenticated), what reading the token file says.
  static Result<std::unique_ptr<ServePart>> open(const Options& options,
                                                 std::unique_ptr<Symbolizer> symbolizer, Log log);

  /// Binds and answers. Errors: what bind(2) says, with the address.
  Result<void> start() { return http_->start(); }
  void stop();
  void add(int pid, const std::string& name, std::shared_ptr<CaptureService> capture) {
    targets_->add(pid, name, std::move(capture));
  }
  void ended(int pid) { targets_->ended(pid); }
  /// "http://127.0.0.1:6060/" or "unix:/run/x": for people.
  [[nodiscard]] std::string url() const;

 private:
  ServePart() = default;

  std::unique_ptr<ServedTargets> targets_;
  std::unique_ptr<HttpService> http_;
};

}  // namespace hprof::cli
