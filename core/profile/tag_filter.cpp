// SPDX-License-Identifier: Apache-2.0
#include "tag_filter.h"

#include <hprof/core/profile/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hprof {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Quantity {
  std::int64_t number = 0;
  std::string_view unit;
};

// "[+-]digits[letters]" and nothing else.
std::optional<Quantity> parse_quantity(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Quantity out;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out.number);
  if (error != std::errc{} || end == text.data() || !is_digit(*(end - 1))) return std::nullopt;
  out.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (!std::ranges::all_of(out.unit, is_letter)) return std::nullopt;
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::map<std::string, std::string> number_label_units(const Profile& profile,
                                                      std::vector<std::string>* notes) {
  std::map<std::string, std::string> units;
  std::map<std::string, std::vector<std::string>> others;
  std::vector<bool> seen(profile.label_set_count() + std::size_t{1}, false);
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const LabelSetId set = profile.sample_labels(row);
    if (seen[set]) continue;
    seen[set] = true;
    for (const Label& label : profile.labels(set)) {
      if (!label.is_number) continue;
      std::string& unit = units[std::string{profile.string(label.key)}];
      const std::string own{profile.string(label.unit)};
      if (unit.empty()) {
        unit = own;
      } else if (!own.empty() && own != unit) {
        std::vector<std::string>& list = others[std::string{profile.string(label.key)}];
        if (std::ranges::find(list, own) == list.end()) list.push_back(own);
      }
    }
  }
  for (auto& [key, unit] : units) {
    if (unit.empty()) unit = key == "alignment" || key == "request" ? "bytes" : key;
  }
  for (const auto& [key, list] : others) {
    if (notes == nullptr) break;
    notes->push_back(fmt::format("label {} is taken in {}, values in {} are compared as such", key,
                                 units[key], fmt::join(list, ", ")));
  }
  return units;
}

std::optional<TagFilter::Range> TagFilter::parse_range(std::string_view text) {
  const std::size_t colon = text.find(':');
  const bool is_pair = colon != std::string_view::npos;
  const std::string_view first = text.substr(0, colon);
  const std::string_view second = is_pair ? text.substr(colon + 1) : std::string_view{};
  Range range;
  if (!first.empty()) {
    const auto low = parse_quantity(first);
    if (!low) return std::nullopt;
    const Scaled scaled = scale(low->number, low->unit, low->unit);
    range.low = scaled.value;
    range.unit = scaled.unit;
    if (!is_pair) range.high = range.low;
  }
  if (second.empty()) return first.empty() ? std::nullopt : std::optional{range};
  const auto high = parse_quantity(second);
  if (!high) return std::nullopt;
  const Scaled scaled = scale(high->number, high->unit, first.empty() ? high->unit : range.unit);
  if (!first.empty() && scaled.unit != range.unit) return std::nullopt;
  range.high = scaled.value;
  range.unit = scaled.unit;
  return range;
}

Result<TagFilter> TagFilter::parse(std::string_view text, std::string_view flag) {
  TagFilter filter;
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos) {
    filter.key_ = text.substr(0, equals);
    filter.has_key_ = !filter.key_.empty();
    text.remove_prefix(equals + 1);
  }
  filter.range_ = parse_range(text);
  if (filter.range_) return filter;
  for (const std::string_view pattern : split(text, ',')) {
    Result<Regex> compiled = Regex::compile(pattern);
    if (!compiled) return compiled.error().within(flag);
    filter.patterns_.push_back(*std::move(compiled));
  }
  return filter;
}

bool TagFilter::in_range(std::int64_t number, std::string_view unit) const {
  const Scaled scaled = scale(number, unit, range_->unit);
  return scaled.unit == range_->unit && (!range_->low || scaled.value >= *range_->low) &&
         (!range_->high || scaled.value <= *range_->high);
}

bool TagFilter::any_number(const Profile& profile, LabelSetId labels,
                           const std::map<std::string, std::string>& units) const {
  return std::ranges::any_of(profile.labels(labels), [&](const Label& label) {
    const std::string key{profile.string(label.key)};
    if (!label.is_number || (has_key_ && key != key_)) return false;
    const auto unit = units.find(key);
    return in_range(label.number, unit == units.end() ? std::string_view{} : unit->second);
  });
}

bool TagFilter::all_texts(const Profile& profile, LabelSetId labels) const {
  std::vector<std::string> texts;
  for (const Label& label : profile.labels(labels)) {
    if (label.is_number) continue;
    texts.push_back(fmt::format("{}:{}", profile.string(label.key), profile.string(label.text)));
  }
  return std::ranges::all_of(patterns_, [&](const Regex& pattern) {
    return std::ranges::any_of(texts, [&](const std::string& t) { return pattern.matches(t); });
  });
}

bool TagFilter::any_text_of_key(const Profile& profile, LabelSetId labels) const {
  return std::ranges::any_of(profile.labels(labels), [&](const Label& label) {
    return !label.is_number && profile.string(label.key) == key_ &&
           std::ranges::any_of(patterns_, [&](const Regex& pattern) {
             return pattern.matches(profile.string(label.text));
           });
  });
}

bool TagFilter::matches(const Profile& profile, LabelSetId labels,
                        const std::map<std::string, std::string>& units) const {
  if (range_) return any_number(profile, labels, units);
  return has_key_ ? any_text_of_key(profile, labels) : all_texts(profile, labels);
}

}  // namespace hprof
