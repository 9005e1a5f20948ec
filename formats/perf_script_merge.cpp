// SPDX-License-Identifier: Apache-2.0
#include "event_columns.h"
#include "perf_script_collector.h"
#include "profile_append.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hprof::formats {
namespace {

using Row = ScriptCollector::Row;

// Events of all collectors in the order of the text, and each collector's ids in that order.
struct EventOrder {
  std::vector<EventColumn> events;
  std::vector<std::vector<std::uint32_t>> ids;
};

EventOrder order_events(const std::vector<ScriptCollector>& collectors) {
  struct Found {
    std::uint64_t block;
    std::size_t collector;
    std::size_t event;
  };
  std::vector<Found> found;
  EventOrder order;
  for (std::size_t c = 0; c < collectors.size(); ++c) {
    order.ids.emplace_back(collectors[c].events.size());
    for (std::size_t e = 0; e < collectors[c].events.size(); ++e) {
      found.push_back({collectors[c].events[e].block, c, e});
    }
  }
  std::ranges::stable_sort(found, {}, &Found::block);
  std::map<std::string, std::uint32_t> known;
  for (const Found& f : found) {
    const auto& event = collectors[f.collector].events[f.event];
    const auto [at, is_new] =
        known.emplace(event.name, static_cast<std::uint32_t>(order.events.size()));
    if (is_new) order.events.push_back({event.name, false});
    order.events[at->second].weighted |= event.weighted;
    order.ids[f.collector][f.event] = at->second;
  }
  return order;
}

void set_flags(Profile& profile) {
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    const auto lines = profile.lines(id);
    if (lines.empty() || profile.location(id).mapping == 0) continue;
    Mapping& mapping = profile.mapping(profile.location(id).mapping);
    mapping.has_functions = true;
    mapping.has_inline_frames |= lines.size() > 1;
    for (const Line& line : lines) {
      mapping.has_line_numbers |= line.line != 0;
      mapping.has_filenames |= profile.function(line.function).filename != 0;
    }
  }
}

void fill_header(Profile& profile, const std::vector<ScriptCollector>& collectors) {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  for (const ScriptCollector& c : collectors) {
    if (c.first_time_ns) first = std::min(first.value_or(*c.first_time_ns), *c.first_time_ns);
    if (c.last_time_ns) last = std::max(last.value_or(*c.last_time_ns), *c.last_time_ns);
    for (const std::string& text : c.comments) {
      profile.header.comments.push_back(profile.intern("perf: " + text));
    }
    profile.counters.skipped += c.bad_lines;
    profile.counters.truncated += c.cut_stacks;
  }
  if (!first) return;
  profile.header.duration_nanos = *last - *first;
  // perf's usual clock counts from boot; only -k CLOCK_REALTIME gives dates.
  if (*first > 1'000'000'000'000'000'000) profile.header.time_nanos = *first;
}

}  // namespace

Profile merge_scripts(std::vector<ScriptCollector>& collectors, const ReadOptions& options) {
  const EventOrder order = order_events(collectors);
  Profile merged;
  const bool single = collectors.size() == 1;
  if (single) merged = std::move(collectors[0].profile);
  EventColumns columns{order.events, merged};
  if (single) {
    for (const Row& row : collectors[0].rows) {
      merged.accumulate(row.stack, row.labels, columns.row(order.ids[0][row.event], row.count, row.weight));
    }
  } else {
    std::vector<ProfileAppender> appenders;
    appenders.reserve(collectors.size());
    for (const ScriptCollector& c : collectors) appenders.emplace_back(c.profile, merged);
    std::vector<std::size_t> next(collectors.size(), 0);
    // Rows in the order of the text, so that the result does not depend on the number of threads.
    for (;;) {
      std::size_t from = collectors.size();
      for (std::size_t c = 0; c < collectors.size(); ++c) {
        if (next[c] == collectors[c].rows.size()) continue;
        if (from == collectors.size() ||
            collectors[c].rows[next[c]].block < collectors[from].rows[next[from]].block) {
          from = c;
        }
      }
      if (from == collectors.size()) break;
      const Row& row = collectors[from].rows[next[from]++];
      merged.accumulate(appenders[from].stack(row.stack), appenders[from].labels(row.labels),
                        columns.row(order.ids[from][row.event], row.count, row.weight));
    }
  }
  set_flags(merged);
  fill_header(merged, collectors);
  if (options.notes != nullptr && order.events.size() > 1) {
    std::string names;
    for (const EventColumn& event : order.events) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", event.name);
    }
    options.notes->push_back(fmt::format("{} events, each a sample type of its own: {}",
                                         order.events.size(), names));
  }
  return merged;
}

}  // namespace hprof::formats
