// SPDX-License-Identifier: Apache-2.0
#include "harmony_config.h"

#include "toml_text.h"

#include <hprof/core/profile/kinds.h>

#include <fmt/format.h>

#include <algorithm>

namespace hprof::cli {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

/// A key's node: the exact spelling if it is there, else the first that differs in case only.
const toml::node* find_any_case(const toml::table& table, std::string_view name) {
  if (const toml::node* exact = table.get(name); exact != nullptr) return exact;
  for (const auto& [key, node] : table) {
    if (same_ignoring_case(key.str(), name)) return &node;
  }
  return nullptr;
}

/// Reads the values of one file, remembering the first problem by its place in the file.
class PprofReader {
 public:
  PprofReader(const toml::table& table, const std::string& name, HarmonyConfig& out)
      : table_(table), name_(name), out_(out) {}

  Result<void> read() {
    HarmonyPprof& p = out_.pprof;
    if (const toml::node* n = take("Enabled")) boolean(*n, "Enabled", p.enabled);
    if (const toml::node* n = take("Folder")) string(*n, "Folder", p.folder);
    if (const toml::node* n = take("ListenAddr")) string(*n, "ListenAddr", p.listen_addr);
    if (const toml::node* n = take("ProfileDebugValues")) {
      integers(*n, "ProfileDebugValues", p.debug_values);
    }
    if (const toml::node* n = take("ProfileIntervals")) {
      integers(*n, "ProfileIntervals", p.intervals);
    }
    if (const toml::node* n = take("ProfileNames")) names(*n);
    if (problem_.message.empty()) return {};
    return problem_;
  }

 private:
  const toml::node* take(std::string_view key) {
    const toml::node* node = find_any_case(table_, key);
    if (node == nullptr) out_.missing.push_back(key);
    return node;
  }

  void report(const toml::node& node, std::string message, std::string hint = {}) {
    const toml::source_position at = node.source().begin;
    if (!problem_.message.empty() && !(at < first_)) return;
    first_ = at;
    problem_ = {ErrorKind::malformed_input,
                fmt::format("{}: {}", toml_place(name_, node.source()), message), std::move(hint)};
  }

  void wrong_type(const toml::node& node, std::string_view key, std::string_view expected) {
    report(node, fmt::format("Pprof.{}: expected {}, got {}", key, expected, toml_type_name(node)));
  }

  void boolean(const toml::node& node, std::string_view key, bool& out) {
    if (const auto* value = node.as_boolean()) {
      out = value->get();
    } else {
      wrong_type(node, key, "true or false");
    }
  }

  void string(const toml::node& node, std::string_view key, std::string& out) {
    if (const auto* value = node.as_string()) {
      out = value->get();
    } else {
      wrong_type(node, key, "a string");
    }
  }

  void integers(const toml::node& node, std::string_view key, std::vector<std::int64_t>& out) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return wrong_type(node, key, "a list of integers");
    out.clear();
    for (const toml::node& item : *list) {
      if (const auto* value = item.as_integer()) {
        out.push_back(value->get());
      } else {
        wrong_type(item, fmt::format("{}[{}]", key, out.size()), "an integer");
        return;
      }
    }
  }

  void names(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return wrong_type(node, "ProfileNames", "a list of strings");
    for (const toml::node& item : *list) {
      const auto* value = item.as_string();
      if (value == nullptr) {
        wrong_type(item, fmt::format("ProfileNames[{}]", out_.pprof.names.size()), "a string");
        return;
      }
      if (find_kind(value->get()) == nullptr) {
        report(item, fmt::format("Pprof.ProfileNames: unknown profile kind \"{}\"", value->get()),
               fmt::format("known kinds: {}", known_kinds()));
        return;
      }
      out_.pprof.names.push_back(value->get());
    }
  }

  const toml::table& table_;
  const std::string& name_;
  HarmonyConfig& out_;
  Error problem_;
  toml::source_position first_;
};

Result<HarmonyVersion> read_version(const toml::table& root, const std::string& name) {
  const toml::node* node = find_any_case(root, "Version");
  if (node == nullptr) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("{}: no Version entry, so no harmony config; {}", name, kHarmonyRange),
                 "an hprof config of its own begins with version = 1"};
  }
  const std::string place = toml_place(name, node->source());
  const auto* value = node->as_string();
  if (value == nullptr) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("{}: Version: expected a string, got {}; {}", place,
                             toml_type_name(*node), kHarmonyRange),
                 {}};
  }
  Result<HarmonyVersion> version = parse_harmony_version(value->get());
  if (!version) return version.error().within(fmt::format("{}: Version", place));
  return version;
}

/// Sections that every harmony.conf has some of and hprof.toml never has.
constexpr std::string_view kHarmonySections[] = {
    "Pprof", "General", "Network", "P2P",     "BLSKeys", "TxPool",   "HTTP",
    "WS",    "RPCOpt",  "Sync",    "DNSSync", "Sys",     "Consensus"};

}  // namespace

bool is_harmony_config(std::string_view text) {
  const Result<toml::table> parsed = parse_toml(text, "");
  if (!parsed) return false;
  if (parsed->empty()) return true;
  for (const auto& [key, node] : *parsed) {
    if (same_ignoring_case(key.str(), "Version") && (key.str() == "Version" || node.is_string())) {
      return true;
    }
    for (const std::string_view section : kHarmonySections) {
      if (same_ignoring_case(key.str(), section)) return true;
    }
  }
  return false;
}

Result<HarmonyConfig> read_harmony_config(std::string_view text, const std::string& name) {
  HPROF_ASSIGN(const toml::table root, parse_toml(text, name));
  HarmonyConfig out;
  HPROF_ASSIGN(out.version, read_version(root, name));
  if (out.version > kNewestHarmony) {
    out.warnings.push_back(
        fmt::format("{}: Version {} is newer than {}, the newest this hprof "
                    "knows; its [Pprof] section is read all the same",
                    name, out.version.text(), kNewestHarmony.text()));
  }
  const toml::node* section = find_any_case(root, "Pprof");
  if (section == nullptr) {
    out.missing.assign(kHarmonyKeys.begin(), kHarmonyKeys.end());
    return out;
  }
  const toml::table* table = section->as_table();
  if (table == nullptr) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("{}: Pprof: expected a table, got {}",
                             toml_place(name, section->source()), toml_type_name(*section)),
                 {}};
  }
  HPROF_TRY(PprofReader(*table, name, out).read());
  return out;
}

std::string harmony_notice(const HarmonyConfig& config, const std::string& name) {
  if (config.missing.empty()) return {};
  return fmt::format(
      "{}: harmony config of version {} is read as it is; to bring [Pprof] forward "
      "on disk: hprof migrate-config {}",
      name, config.version.text(), name);
}

}  // namespace hprof::cli
