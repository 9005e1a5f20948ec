// SPDX-License-Identifier: Apache-2.0
#include "event_columns.h"

#include <algorithm>

namespace hprof::formats {
namespace {

// "cycles:ppp" -> "cycles", but "sched:sched_switch" is a name: modifiers are a few known letters.
std::string_view without_modifiers(std::string_view event) {
  const std::size_t colon = event.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == event.size()) return event.substr(0, colon);
  const std::string_view tail = event.substr(colon + 1);
  return tail.find_first_not_of("ukhHGpPSDIWebR") == std::string_view::npos
             ? event.substr(0, colon)
             : event;
}

// perf adds modifiers by itself ("cpu-clock:ppp"); they are shown where they tell events apart.
std::string_view shown_name(std::span<const EventColumn> events, const EventColumn& event) {
  if (event.name.empty()) return "event";
  const std::string_view bare = without_modifiers(event.name);
  const auto same = std::ranges::count_if(
      events, [&](const EventColumn& e) { return without_modifiers(e.name) == bare; });
  return same > 1 ? std::string_view{event.name} : bare;
}

}  // namespace

std::string_view event_unit(std::string_view event) {
  const std::string_view bare = without_modifiers(event);
  return bare == "cpu-clock" || bare == "task-clock" ? "nanoseconds" : "count";
}

bool event_matches(std::string_view event, std::string_view filter) {
  return filter.empty() || event == filter || without_modifiers(event) == filter;
}

EventColumns::EventColumns(std::span<const EventColumn> events, Profile& profile) {
  const bool several = events.size() > 1;
  for (const EventColumn& event : events) {
    const std::string_view name = shown_name(events, event);
    Columns columns{.weighted = event.weighted};
    columns.count = profile.add_sample_type(
        several ? std::string{name} + ":samples" : std::string{"samples"}, "count");
    if (event.weighted) columns.weight = profile.add_sample_type(name, event_unit(name));
    columns_.push_back(columns);
  }
  if (events.empty()) profile.add_sample_type("samples", "count");
  row_.assign(profile.sample_types().size(), 0);
  const std::size_t first =
      columns_.empty() ? 0 : columns_[0].weighted ? columns_[0].weight : columns_[0].count;
  profile.header.default_sample_type = profile.sample_types()[first].type;
}

std::span<const std::int64_t> EventColumns::row(std::size_t event, std::int64_t count,
                                                std::int64_t weight) {
  const Columns& old = columns_[last_];
  row_[old.count] = 0;
  if (old.weighted) row_[old.weight] = 0;
  const Columns& now = columns_[event];
  row_[now.count] = count;
  if (now.weighted) row_[now.weight] = weight;
  last_ = event;
  return row_;
}

}  // namespace hprof::formats
