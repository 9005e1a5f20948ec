// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::formats {

/// One event of a recording, as perf names it ("cycles:ppp").
struct EventColumn {
  std::string name;
  bool weighted = false;  ///< samples carry a period
};

/// The value columns of one or several perf events and how a sample of one fills them.
/// Modifiers of an event are left out where its name is unique without.
/// Source: SPEC.md section 6, "Several events in one file".
class EventColumns {
 public:
  /// Adds the sample types to `profile` and sets its default type: the first event's weight.
  EventColumns(std::span<const EventColumn> events, Profile& profile);
  /// A row of values for `count` samples of event `event` weighing `weight`. Lifetime: next call.
  std::span<const std::int64_t> row(std::size_t event, std::int64_t count, std::int64_t weight);

 private:
  struct Columns {
    std::size_t count = 0;
    std::size_t weight = 0;
    bool weighted = false;
  };
  std::vector<Columns> columns_;
  std::vector<std::int64_t> row_;
  std::size_t last_ = 0;
};

/// "nanoseconds" for the clock events of perf, else "count".
std::string_view event_unit(std::string_view event);
/// Whether a filter of the user ("cycles" or "cycles:u") means this event.
bool event_matches(std::string_view event, std::string_view filter);

}  // namespace hprof::formats
