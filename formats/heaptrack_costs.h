// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hprof::formats {

/// What each trace of a heap recording allocated, and held when the process held most.
class HeapCosts {
 public:
  struct Trace {
    std::int64_t allocations = 0;
    std::int64_t temporary = 0;
    std::int64_t peak = 0;
    std::int64_t held = 0;
    bool touched = false;  ///< since the last peak
  };

  void allocate(std::uint32_t trace, std::int64_t size) {
    Trace& t = touch(trace);
    ++t.allocations;
    t.held += size;
    held_ += size;
    if (held_ <= peak_) return;
    // Only what moved since the last peak differs from what was held then.
    peak_ = held_;
    for (const std::uint32_t id : touched_) {
      traces_[id].peak = traces_[id].held;
      traces_[id].touched = false;
    }
    touched_.clear();
  }
  void release(std::uint32_t trace, std::int64_t size, bool temporary) {
    Trace& t = touch(trace);
    t.held -= size;
    held_ -= size;
    t.temporary += temporary ? 1 : 0;
  }
  [[nodiscard]] const std::vector<Trace>& traces() const { return traces_; }

 private:
  Trace& touch(std::uint32_t id) {
    if (id >= traces_.size()) traces_.resize(std::max<std::size_t>(id + 1, traces_.size() * 2));
    Trace& t = traces_[id];
    if (!t.touched) {
      t.touched = true;
      touched_.push_back(id);
    }
    return t;
  }

  std::vector<Trace> traces_;
  std::vector<std::uint32_t> touched_;
  std::int64_t held_ = 0;
  std::int64_t peak_ = 0;
};

}  // namespace hprof::formats
