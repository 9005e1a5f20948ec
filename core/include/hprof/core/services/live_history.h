// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/capture_service.h>
#include <hprof/core/services/captured_process.h>
#include <hprof/core/services/service.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hprof {

/// One slice of time, for a time line.
struct HistorySlice {
  std::int64_t start_ns = 0;  ///< since 1970 UTC
  std::int64_t end_ns = 0;
  std::int64_t samples = 0;
  std::int64_t value = 0;  ///< of the last sample type: CPU time in ns
};

/// The recent past of a captured process in named slices, for a page that looks back: fine slices
/// for some minutes, coarse ones before that, nothing older. Memory is bounded by the distinct
/// stacks of the slices kept.
class LiveHistory final : public Service {
 public:
  struct Options {
    std::chrono::milliseconds step{2000};
    std::size_t fine = 150;   ///< fine slices kept at least
    std::size_t joined = 30;  ///< that many become a coarse one
    std::size_t coarse = 60;  ///< coarse slices kept
  };

  LiveHistory(std::string name, std::shared_ptr<CaptureService> capture,
              std::shared_ptr<SharedSymbolizer> symbolizer, Options options);
  LiveHistory(std::string name, std::shared_ptr<CaptureService> capture,
              std::shared_ptr<SharedSymbolizer> symbolizer);
  ~LiveHistory() override;

  [[nodiscard]] std::string name() const override { return name_; }
  Result<void> start() override;
  Result<void> stop() override;
  [[nodiscard]] ServiceState state() const override;

  /// Oldest first.
  [[nodiscard]] std::vector<HistorySlice> slices() const;
  /// The sum of the slices that overlap [from_ns, to_ns). Errors: nothing_recorded if none do.
  [[nodiscard]] Result<Profile> window(std::int64_t from_ns, std::int64_t to_ns) const;
  /// Takes one slice now; what the service's thread does at each step.
  void take_slice(ProfileSource& source);

 private:
  struct Kept {
    HistorySlice slice;
    std::shared_ptr<const Profile> profile;
  };
  void run(ProfileSource& source);
  void make_room();

  std::string name_;
  std::shared_ptr<CaptureService> capture_;
  std::shared_ptr<SharedSymbolizer> symbolizer_;
  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Kept> coarse_;
  std::deque<Kept> fine_;
  std::thread thread_;
  bool stopping_ = false;
};

}  // namespace hprof
