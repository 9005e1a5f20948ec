// SPDX-License-Identifier: Apache-2.0
#include "harmony_config.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::cli {
namespace {

/// One item of a harmony list for profile `index` of `count`. Source: harmony's own matching: as
/// many items as names match one to one, else the first is for all, none is 0.
std::int64_t item_for(const std::vector<std::int64_t>& list, std::size_t index, std::size_t count) {
  if (list.empty()) return 0;
  return list.size() == count ? list[index] : list.front();
}

void warn_of_length(std::string_view key, std::size_t items, std::size_t names,
                    std::vector<std::string>& warnings) {
  if (items <= 1 || items == names) return;
  warnings.push_back(
      fmt::format("Pprof.{} has {} items for {} profile names: the first is taken "
                  "for all",
                  key, items, names));
}

struct Row {
  std::string kind;
  std::int64_t interval = 0;
  std::int64_t debug = 0;
};

std::vector<Row> rows_of(const HarmonyPprof& pprof, std::vector<std::string>& warnings) {
  std::vector<std::string> names = pprof.names;
  if (names.empty()) {
    names = {"cpu"};
    warnings.emplace_back("Pprof.ProfileNames is empty: taken as cpu");
  }
  warn_of_length("ProfileIntervals", pprof.intervals.size(), names.size(), warnings);
  warn_of_length("ProfileDebugValues", pprof.debug_values.size(), names.size(), warnings);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Row row{names[i], item_for(pprof.intervals, i, names.size()),
            item_for(pprof.debug_values, i, names.size())};
    const auto same = std::ranges::find(rows, row.kind, &Row::kind);
    if (same == rows.end()) {
      rows.push_back(std::move(row));
      continue;
    }
    warnings.push_back(fmt::format("Pprof.ProfileNames has {} twice: the last counts", row.kind));
    *same = std::move(row);
  }
  return rows;
}

void soften(Row& row, std::vector<std::string>& warnings) {
  // A century; beyond it nanoseconds overflow, and harmony never gets there either.
  constexpr std::int64_t kLongest = std::int64_t{100} * 365 * 86400;
  if (row.interval < 0) {
    warnings.push_back(
        fmt::format("Pprof.ProfileIntervals: {} for {} is negative: taken as 0, "
                    "only at the end",
                    row.interval, row.kind));
    row.interval = 0;
  } else if (row.interval > kLongest) {
    warnings.push_back(
        fmt::format("Pprof.ProfileIntervals: {} for {} is over a century: taken as "
                    "0, only at the end",
                    row.interval, row.kind));
    row.interval = 0;
  }
  const std::int64_t debug = std::clamp<std::int64_t>(row.debug, 0, 2);
  if (debug != row.debug) {
    warnings.push_back(
        fmt::format("Pprof.ProfileDebugValues: {} for {} is not 0, 1 or 2: taken as "
                    "{}",
                    row.debug, row.kind, debug));
    row.debug = debug;
  }
}

}  // namespace

std::vector<HarmonySetting> settings_of_harmony(const HarmonyConfig& config,
                                                std::vector<std::string>& warnings) {
  const HarmonyPprof& pprof = config.pprof;
  HarmonySetting kinds{"dump.kinds", {}};
  HarmonySetting intervals{"dump.interval", {}};
  HarmonySetting debugs{"dump.debug", {}};
  for (Row& row : rows_of(pprof, warnings)) {
    soften(row, warnings);
    kinds.values.push_back(row.kind);
    intervals.values.push_back(fmt::format("{}s", row.interval));
    debugs.values.push_back(fmt::format("{}", row.debug));
  }
  std::string folder = pprof.folder;
  if (folder.empty()) {
    folder = ".";
    warnings.emplace_back("Pprof.Folder is empty: taken as the current folder");
  }
  std::string address = pprof.listen_addr;
  if (address.empty()) {
    address = HarmonyPprof{}.listen_addr;
    warnings.push_back(fmt::format("Pprof.ListenAddr is empty: taken as {}", address));
  }
  return {{"dump.folder", {folder}},
          kinds,
          intervals,
          debugs,
          {"serve.enabled", {pprof.enabled ? "true" : "false"}},
          {"serve.listen", {address}}};
}

}  // namespace hprof::cli
