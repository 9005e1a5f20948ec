// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace hprof::symbolize {

/// Fetches debug files from the servers of $DEBUGINFOD_URLS through libdebuginfod, which is loaded
/// when first needed. Thread safe; one download at a time.
class Debuginfod {
 public:
  /// `budget`: for all downloads together; what is unfinished then is given up.
  explicit Debuginfod(std::chrono::milliseconds budget);
  ~Debuginfod();
  Debuginfod(const Debuginfod&) = delete;
  Debuginfod& operator=(const Debuginfod&) = delete;

  /// The path of the fetched (or already cached) file, or empty.
  std::string find(const std::string& build_id);

 private:
  struct Library;

  std::mutex mutex_;
  std::chrono::milliseconds budget_;
  std::unique_ptr<Library> library_;
  bool tried_ = false;
};

}  // namespace hprof::symbolize
