// SPDX-License-Identifier: Apache-2.0
#include "config_value.h"

#include "setting_value.h"

#include <fmt/format.h>

#include <type_traits>

namespace hprof::cli {
namespace {

/// Which TOML types a unit takes, and how a message calls them.
struct Accepted {
  bool boolean = false;
  bool integer = false;
  bool real = false;
  bool string = false;
  std::string_view words;
};

Accepted accepted_by(Unit unit) {
  switch (unit) {
    case Unit::flag:
      return {.boolean = true, .words = "true or false"};
    case Unit::text:
    case Unit::paths:
      return {.string = true, .words = "a string"};
    case Unit::list:
      return {.integer = true, .string = true, .words = "a string or a list"};
    case Unit::duration:
      return {.integer = true, .real = true, .string = true, .words = "a duration such as \"30s\""};
    case Unit::bytes:
      return {.integer = true, .string = true, .words = "a size such as \"64MiB\""};
    case Unit::percent:
      return {.integer = true, .real = true, .string = true, .words = "a percentage"};
    case Unit::rate:
      return {.integer = true, .real = true, .words = "a number"};
    case Unit::count:
      return {.integer = true, .words = "a whole number"};
  }
  return {};
}

bool accepts(const Accepted& accepted, const toml::node& node) {
  return (accepted.boolean && node.is_boolean()) || (accepted.integer && node.is_integer()) ||
         (accepted.real && node.is_floating_point()) || (accepted.string && node.is_string());
}

Error wrong_type(const Accepted& accepted, const toml::node& node) {
  return {ErrorKind::malformed_input,
          fmt::format("must be {}, not {}", accepted.words, toml_type_name(node)),
          {}};
}

Result<std::string> scalar_text(const Accepted& accepted, const toml::node& node) {
  if (!accepts(accepted, node)) return wrong_type(accepted, node);
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  return std::string{node.as_boolean()->get() ? "true" : "false"};
}

bool holds_list(const Setting& setting) {
  Options scratch;
  return std::visit(
      [](auto* slot) {
        using Value = std::remove_pointer_t<decltype(slot)>;
        return std::is_same_v<Value, std::vector<std::string>> ||
               std::is_same_v<Value, std::vector<nanoseconds>> ||
               std::is_same_v<Value, std::vector<std::uint64_t>>;
      },
      setting.slot(scratch));
}

}  // namespace

Result<std::vector<std::string>> config_texts(const Setting& setting, const toml::node& node) {
  const Accepted accepted = accepted_by(setting.unit);
  std::vector<std::string> texts;
  if (const auto* array = node.as_array(); array != nullptr && holds_list(setting)) {
    for (const toml::node& item : *array) {
      HPROF_ASSIGN(texts.emplace_back(), scalar_text(accepted, item));
    }
    return texts;
  }
  HPROF_ASSIGN(texts.emplace_back(), scalar_text(accepted, node));
  return texts;
}

Result<void> set_from_config(const Setting& setting, std::span<const std::string> texts,
                             Options& options) {
  if (!texts.empty()) return assign(setting, options, texts);
  std::visit([](auto* slot) { *slot = std::remove_pointer_t<decltype(slot)>{}; },
             setting.slot(options));
  return {};
}

}  // namespace hprof::cli
