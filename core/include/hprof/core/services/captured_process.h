// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile_writer.h>
#include <hprof/core/services/capture_service.h>
#include <hprof/core/services/pprof_endpoints.h>
#include <hprof/core/target/module_registry.h>

#include <memory>
#include <mutex>
#include <string>

namespace hprof {

/// Names raw profiles for several readers: a symbolizer of its own, one caller at a time.
class SharedSymbolizer {
 public:
  explicit SharedSymbolizer(std::unique_ptr<Symbolizer> symbolizer)
      : symbolizer_(std::move(symbolizer)) {}
  void symbolize(RawProfile& raw);

 private:
  std::mutex mutex_;
  std::unique_ptr<Symbolizer> symbolizer_;
};

/// A process that a CaptureService samples, behind the pprof endpoints. Every request has a cursor
/// of its own, so that none disturbs another or a dump.
class CapturedProcess final : public ServedProcess {
 public:
  CapturedProcess(int pid, std::shared_ptr<CaptureService> capture, std::shared_ptr<SharedSymbolizer> symbolizer,
                  std::shared_ptr<const ProfileWriter> writer, ProcFs proc);

  [[nodiscard]] std::string command_line() const override;
  [[nodiscard]] std::vector<ServedKind> kinds() const override;
  [[nodiscard]] std::string why_not(std::string_view kind) const override;
  Result<std::string> over(std::string_view kind, std::chrono::nanoseconds time,
                           const Abandoned& abandoned) override;
  Result<std::string> now(std::string_view kind, int debug) override;
  std::string symbol(std::uint64_t address) override;

 private:
  int pid_;
  std::shared_ptr<CaptureService> capture_;
  std::shared_ptr<SharedSymbolizer> symbolizer_;
  std::shared_ptr<const ProfileWriter> writer_;
  std::string command_line_;  ///< read at the start: it can be asked for after the end too
  ModuleRegistry modules_;
};

}  // namespace hprof
