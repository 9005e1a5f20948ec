// SPDX-License-Identifier: Apache-2.0
#include "setting_value.h"

#include "suggest.h"
#include "toml_text.h"
#include "units.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace hprof::cli {
namespace {

using Texts = std::span<const std::string>;

/// A duration that stands alone, without a value, lasts for ever.
constexpr nanoseconds kForever = nanoseconds::max();

std::vector<std::string> split(Texts texts, Unit unit) {
  std::vector<std::string> items;
  for (const std::string& text : texts) {
    if (unit == Unit::paths) {
      items.push_back(text);
      continue;
    }
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      if (comma > at) items.push_back(text.substr(at, comma - at));
      at = comma + 1;
    }
  }
  return items;
}

Result<double> parse_number(Unit unit, std::string_view text) {
  return unit == Unit::percent ? parse_percent(text) : parse_rate(text);
}

Result<std::uint64_t> parse_whole(Unit unit, std::string_view text) {
  return unit == Unit::bytes ? parse_bytes(text) : parse_count(text);
}

/// One overload for each alternative of SettingSlot.
struct Assigner {
  Unit unit;
  Texts texts;

  Result<void> operator()(bool* slot) const {
    HPROF_ASSIGN(const Switch on, parse_switch(texts.back()));
    *slot = on == Switch::on;
    return {};
  }
  Result<void> operator()(double* slot) const {
    HPROF_ASSIGN(*slot, parse_number(unit, texts.back()));
    return {};
  }
  Result<void> operator()(std::optional<double>* slot) const {
    HPROF_ASSIGN(*slot, parse_number(unit, texts.back()));
    return {};
  }
  Result<void> operator()(std::uint64_t* slot) const {
    HPROF_ASSIGN(*slot, parse_whole(unit, texts.back()));
    return {};
  }
  Result<void> operator()(std::string* slot) const {
    *slot = texts.back();
    return {};
  }
  Result<void> operator()(std::vector<std::string>* slot) const {
    *slot = split(texts, unit);
    return {};
  }
  Result<void> operator()(nanoseconds* slot) const {
    HPROF_ASSIGN(*slot, parse_duration(texts.back()));
    return {};
  }
  Result<void> operator()(std::optional<nanoseconds>* slot) const {
    if (texts.back() == "true") {
      *slot = kForever;
      return {};
    }
    HPROF_ASSIGN(*slot, parse_duration(texts.back()));
    return {};
  }
  Result<void> operator()(std::vector<nanoseconds>* slot) const {
    slot->clear();
    for (const std::string& item : split(texts, unit)) {
      HPROF_ASSIGN(const nanoseconds one, parse_duration(item));
      slot->push_back(one);
    }
    return {};
  }
  Result<void> operator()(std::vector<std::uint64_t>* slot) const {
    slot->clear();
    for (const std::string& item : split(texts, unit)) {
      HPROF_ASSIGN(const std::uint64_t one, parse_whole(unit, item));
      slot->push_back(one);
    }
    return {};
  }
};

/// A value as words; a list has several, something unset none.
struct Shower {
  Unit unit;

  using Words = std::vector<std::string>;
  [[nodiscard]] std::string whole(std::uint64_t value) const {
    return unit == Unit::bytes ? format_bytes(value) : fmt::format("{}", value);
  }
  static std::string duration(nanoseconds value) {
    return value == kForever ? "true" : format_duration(value);
  }
  Words operator()(const bool* slot) const { return {*slot ? "true" : "false"}; }
  Words operator()(const double* slot) const { return {fmt::format("{}", *slot)}; }
  Words operator()(const std::optional<double>* slot) const {
    return *slot ? Words{fmt::format("{}", **slot)} : Words{};
  }
  Words operator()(const std::uint64_t* slot) const { return {whole(*slot)}; }
  Words operator()(const std::string* slot) const { return slot->empty() ? Words{} : Words{*slot}; }
  Words operator()(const std::vector<std::string>* slot) const { return *slot; }
  Words operator()(const nanoseconds* slot) const { return {duration(*slot)}; }
  Words operator()(const std::optional<nanoseconds>* slot) const {
    return *slot ? Words{duration(**slot)} : Words{};
  }
  Words operator()(const std::vector<nanoseconds>* slot) const {
    Words words;
    for (const nanoseconds one : *slot) words.push_back(duration(one));
    return words;
  }
  Words operator()(const std::vector<std::uint64_t>* slot) const {
    Words words;
    for (const std::uint64_t one : *slot) words.push_back(whole(one));
    return words;
  }
};

std::vector<std::string> words_of(const Setting& setting, Options& options) {
  return std::visit(Shower{setting.unit}, setting.slot(options));
}

bool is_list(const SettingSlot& slot) {
  return std::holds_alternative<std::vector<std::string>*>(slot) ||
         std::holds_alternative<std::vector<nanoseconds>*>(slot) ||
         std::holds_alternative<std::vector<std::uint64_t>*>(slot);
}

bool is_bare(const Setting& setting, std::string_view word) {
  switch (setting.unit) {
    case Unit::flag:
    case Unit::rate:
    case Unit::count:
    case Unit::percent:
      return true;
    case Unit::duration:
      return word == "true";
    default:
      return false;
  }
}

/// Every item must be one of the setting's words, if it has words at all.
Result<void> check_choices(const Setting& setting, Texts texts) {
  if (setting.choices == nullptr) return {};
  const std::vector<std::string> words = setting.choices();
  const std::vector<std::string_view> names(words.begin(), words.end());
  for (const std::string& item :
       split(texts, setting.unit == Unit::list ? Unit::list : Unit::paths)) {
    if (std::ranges::find(words, item) != words.end()) continue;
    return Error{ErrorKind::usage, fmt::format("unknown '{}'{}", item, did_you_mean(item, names)),
                 fmt::format("known: {}", fmt::join(words, ", "))};
  }
  return {};
}

}  // namespace

Result<void> assign(const Setting& setting, Options& options, Texts texts) {
  HPROF_CHECK(!texts.empty());
  HPROF_TRY(check_choices(setting, texts));
  return std::visit(Assigner{setting.unit, texts}, setting.slot(options));
}

std::string value_text(const Setting& setting, Options& options) {
  return fmt::format("{}", fmt::join(words_of(setting, options), ","));
}

std::string value_toml(const Setting& setting, Options& options) {
  std::vector<std::string> words = words_of(setting, options);
  if (words.empty()) return {};
  for (std::string& word : words) {
    if (!is_bare(setting, word)) word = toml_quoted(word);
  }
  return is_list(setting.slot(options)) ? fmt::format("[{}]", fmt::join(words, ", ")) : words[0];
}

}  // namespace hprof::cli
