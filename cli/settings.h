// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hprof::cli {

/// Where a setting's value is kept; the alternative decides how text is read.
using SettingSlot =
    std::variant<bool*, double*, std::optional<double>*, std::uint64_t*, std::string*,
                 std::vector<std::string>*, std::vector<nanoseconds>*, std::vector<std::uint64_t>*,
                 nanoseconds*, std::optional<nanoseconds>*>;

/// What a value means: how it is parsed, checked and shown.
enum class Unit {
  flag,  ///< present or not
  text,
  list,      ///< comma separated, repeatable
  paths,     ///< repeatable; a comma is part of the name
  duration,  ///< 30s, 10m, 1h; a bare number is seconds
  rate,      ///< per second
  count,
  bytes,  ///< 512k, 1GiB; a bare number is bytes
  percent,
};

enum class Visibility {
  shown,     ///< in --help
  advanced,  ///< only in --help-advanced and the man page's last section
};

/// Commands a setting belongs to, as a bit set.
enum CommandSet : unsigned {
  kRecord = 1U << 0,
  kDump = 1U << 1,
  kServe = 1U << 2,
  kConvert = 1U << 3,
  kMigrate = 1U << 4,
  kLive = 1U << 5,
  kDoctor = 1U << 6,
  kCapturing = kRecord | kDump | kServe | kLive,
  kTargeting = kCapturing | kDoctor,
  kEvery = ~0U,
};

/// One thing a user can set. From its row come the CLI11 option, the config and environment
/// readers, --print-config, migrate-config, man OPTIONS and completions.
struct Setting {
  std::string_view key;   ///< "dump.keep_age"; empty: flag only
  std::string_view flag;  ///< as CLI11 takes it: "-F,--rate"
  Unit unit = Unit::text;
  std::string_view value;  ///< placeholder in help: "HZ"; "[=TIME]" where it may be left out
  std::string_view help;   ///< one line, lower case, no full stop
  Visibility visibility = Visibility::shown;
  unsigned commands = kEvery;
  SettingSlot (*slot)(Options&) = nullptr;
  /// The words a value can be, or null: anything. For checks, messages and completions.
  std::vector<std::string> (*choices)() = nullptr;
  std::string_view since = "0.1";
  std::string_view replaced_by = {};  ///< key of the setting that took its place
};

/// Settings that stand together under one heading of the help text.
struct SettingGroup {
  std::string_view heading;
  std::span<const Setting> settings;
};

/// Every setting, by group, in the order of the help text.
std::span<const SettingGroup> setting_groups();

/// The same without the groups. Lifetime: for ever.
const std::vector<const Setting*>& all_settings();

/// "--rate": the long name, by which messages call a setting.
std::string_view long_flag(const Setting& setting);

/// "HPROF_DUMP_KEEP_AGE", from the key; empty for a setting that is a flag only.
std::string variable_name(const Setting& setting);

/// The setting with this key ("dump.keep_age"), or nullptr.
const Setting* find_key(std::string_view key);

}  // namespace hprof::cli
