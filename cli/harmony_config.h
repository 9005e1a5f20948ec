// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harmony_version.h"

#include <hprof/core/base/result.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::cli {

/// The six keys of harmony's [Pprof] section; the defaults are harmony's own.
/// Source: harmony's config, schema 2.2.0 to 2.6.8, unchanged in between.
struct HarmonyPprof {
  bool enabled = false;
  std::string folder = "./profiles";
  std::string listen_addr = "127.0.0.1:6060";
  std::vector<std::int64_t> debug_values = {0};
  std::vector<std::int64_t> intervals = {600};  ///< seconds; 0: only at the end
  std::vector<std::string> names;
};

/// The names of the keys, in the order in which harmony writes them.
inline constexpr std::array<std::string_view, 6> kHarmonyKeys = {
    "Enabled", "Folder", "ListenAddr", "ProfileDebugValues", "ProfileIntervals", "ProfileNames"};
/// The default of each, as TOML; the same values as in HarmonyPprof.
inline constexpr std::array<std::string_view, 6> kHarmonyDefaults = {
    "false", "\"./profiles\"", "\"127.0.0.1:6060\"", "[0]", "[600]", "[]"};

/// A harmony.conf as far as hprof cares.
struct HarmonyConfig {
  HarmonyVersion version;
  HarmonyPprof pprof;                     ///< brought forward: absent keys have their default
  std::vector<std::string_view> missing;  ///< those of kHarmonyKeys that the file lacks
  std::vector<std::string> warnings;      ///< one line each, with the place in the file
};

/// Whether a text that parses is a harmony.conf and no hprof.toml: it has harmony's sections, or a
/// version in a string. A file without any setting counts too, and is refused for its version.
/// A text that does not parse is none; whoever reads it reports why.
bool is_harmony_config(std::string_view text);

/// Reads [Pprof] of a harmony.conf of any version. Sections and keys match in any case, as harmony
/// matches them; where several do, the exact spelling counts.
/// Errors: malformed_input with file:line:column for bad TOML, a missing or bad version, a wrong
/// type, and an unknown profile name.
Result<HarmonyConfig> read_harmony_config(std::string_view text, const std::string& name);

/// One setting of hprof that a harmony.conf sets.
struct HarmonySetting {
  std::string_view key;             ///< "dump.folder"
  std::vector<std::string> values;  ///< as a flag would have them
};

/// What [Pprof] means in hprof's own terms: dump.folder, dump.kinds, dump.interval, dump.debug,
/// serve.enabled, serve.listen. Old leniency is applied here, each with a line in `warnings`: lists
/// of unequal length take the first item for all, a negative interval is 0, of duplicate names the
/// last counts, no name at all means cpu, an empty folder is the current one, an empty address is
/// the default one. The three lists that come out have one length. Source: SPEC.md section 7.
std::vector<HarmonySetting> settings_of_harmony(const HarmonyConfig& config,
                                                std::vector<std::string>& warnings);

/// The line that names the command which brings the file forward on disk; empty if nothing is
/// missing in it.
std::string harmony_notice(const HarmonyConfig& config, const std::string& name);

}  // namespace hprof::cli
