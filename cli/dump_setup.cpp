// SPDX-License-Identifier: Apache-2.0
#include "dump_setup.h"

#include "output_file.h"
#include "units.h"

#include <hprof/core/profile/kinds.h>

#include <fmt/format.h>

namespace hprof::cli {
namespace {

/// Item `index` of a list that has one item for all or one for each of `count` kinds.
template <typename T>
T item(const std::vector<T>& list, std::size_t index) {
  return list.size() == 1 ? list.front() : list[index];
}

template <typename T>
Result<void> check_length(std::string_view flag, const std::vector<T>& list, std::size_t kinds,
                          bool may_be_empty) {
  if (list.size() == 1 || list.size() == kinds || (list.empty() && may_be_empty)) return {};
  return Error{ErrorKind::usage,
               fmt::format("{} has {} items for {} kinds", flag, list.size(), kinds),
               "give one for all kinds, or one for each"};
}

/// The kinds by their own names; "all" is every one.
std::vector<std::string> kind_list(const std::vector<std::string>& words) {
  std::vector<std::string> kinds;
  for (const std::string& word : words) {
    if (word == "all") {
      for (const Kind& kind : all_kinds()) kinds.emplace_back(kind.name);
      continue;
    }
    const Kind* kind = find_kind(word);
    kinds.push_back(kind != nullptr ? std::string{kind->name} : word);
  }
  return kinds;
}

Result<void> check_lengths(const DumpOptions& dump, std::size_t kinds) {
  HPROF_TRY(check_length("--interval", dump.intervals, kinds, false));
  HPROF_TRY(check_length("--debug", dump.debug, kinds, false));
  HPROF_TRY(check_length("--keep-count", dump.keep_count, kinds, true));
  HPROF_TRY(check_length("--keep-age", dump.keep_age, kinds, true));
  return check_length("--keep-bytes", dump.keep_bytes, kinds, true);
}

/// 0 bounds nothing.
template <typename T>
std::optional<T> bound(const std::vector<T>& list, std::size_t index) {
  if (list.empty()) return {};
  const T value = item(list, index);
  return value == T{} ? std::nullopt : std::optional{value};
}

DumpKind kind_of(const DumpOptions& dump, const std::string& name, std::size_t index) {
  DumpKind kind;
  kind.kind = name;
  kind.interval = item(dump.intervals, index);
  kind.debug = static_cast<int>(std::min<std::uint64_t>(item(dump.debug, index), 1000));
  kind.limits.count = bound(dump.keep_count, index);
  kind.limits.age = bound(dump.keep_age, index);
  kind.limits.bytes = bound(dump.keep_bytes, index);
  return kind;
}

bool is_flag_or_variable(const std::string& origin) {
  return origin == "flag" || origin.starts_with("HPROF_");
}

}  // namespace

Result<FreeFloor> parse_free_floor(std::string_view text) {
  if (text.ends_with('%')) {
    HPROF_ASSIGN(const double percent, parse_percent(text));
    if (percent > 100) {
      return Error{ErrorKind::usage, fmt::format("'{}' is more than all of it", text), {}};
    }
    return FreeFloor{percent, 0};
  }
  HPROF_ASSIGN(const std::uint64_t bytes, parse_bytes(text));
  return FreeFloor{0, bytes};
}

Result<DumpConfig> dump_config_of(const Options& options) {
  const DumpOptions& dump = options.dump;
  DumpConfig config;
  config.folder = dump.folder;
  const std::vector<std::string> kinds = kind_list(dump.kinds);
  HPROF_TRY(check_lengths(dump, kinds.size()));
  for (std::size_t i = 0; i < kinds.size(); ++i) config.kinds.push_back(kind_of(dump, kinds[i], i));
  Result<FreeFloor> floor = parse_free_floor(dump.keep_free);
  if (!floor) return floor.error().within("--keep-free");
  config.floor = *floor;
  config.owner = user_file_options().owner;
  if (!dump.status_file.empty()) {
    config.status_file = dump.status_file.front() == '/'
                             ? dump.status_file
                             : fmt::format("{}/{}", dump.folder, dump.status_file);
  }
  HPROF_TRY(check_dump_config(config));
  return config;
}

Result<void> check_dump_options(const LoadedOptions& loaded) {
  const Result<DumpConfig> config = dump_config_of(loaded.options);
  if (config) return {};
  Error error = config.error();
  std::string file;
  for (const auto& [setting, origin] : loaded.origins) {
    const bool about_dump = setting->key.starts_with("dump.") || setting->flag.starts_with("--pprof");
    if (!about_dump) continue;
    if (is_flag_or_variable(origin)) return error;
    file = origin.substr(0, origin.rfind(':'));
  }
  if (file.empty()) return error;
  error.kind = ErrorKind::malformed_input;
  return error.within(file + ": [dump]");
}

}  // namespace hprof::cli
