// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <vector>

namespace hprof::formats {

/// The spans of one thread, nested by their times into stacks that hold their own time each.
/// Times in ns, in any order.
class TraceSpans {
 public:
  void begin(double at, LocationId frame);
  /// `frame` 0: whatever is open.
  void end(double at, LocationId frame);
  void span(double at, double duration, LocationId frame);

  /// Adds self times to the first value column; returns begins and ends without a counterpart.
  std::uint64_t add_to(Profile& profile, LabelSetId labels);

 private:
  struct Span {
    double start = 0;
    double end = 0;
    LocationId frame = 0;
    std::size_t order = 0;
  };
  struct Mark {
    double at = 0;
    LocationId frame = 0;
    bool is_begin = false;
  };

  std::uint64_t pair_marks();

  std::vector<Span> spans_;
  std::vector<Mark> marks_;
  double last_ = 0;
};

}  // namespace hprof::formats
