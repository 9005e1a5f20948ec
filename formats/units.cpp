// SPDX-License-Identifier: Apache-2.0
#include "units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace hprof::formats {
namespace {

struct Unit {
  std::string_view name;
  double factor;
  std::array<std::string_view, 3> aliases;
};

struct Family {
  std::span<const Unit> units;
  Unit usual;
};

constexpr std::array<Unit, 6> kBytes{{
    {"B", 1, {"b", "byte"}},
    {"kB", 1024.0, {"kb", "kbyte", "kilobyte"}},
    {"MB", 1024.0 * 1024, {"mb", "mbyte", "megabyte"}},
    {"GB", 1024.0 * 1024 * 1024, {"gb", "gbyte", "gigabyte"}},
    {"TB", 1024.0 * 1024 * 1024 * 1024, {"tb", "tbyte", "terabyte"}},
    {"PB", 1024.0 * 1024 * 1024 * 1024 * 1024, {"pb", "pbyte", "petabyte"}},
}};
constexpr std::array<Unit, 5> kTimes{{
    {"ns", 1, {"ns", "nanosecond"}},
    {"us", 1e3, {"\u03bcs", "us", "microsecond"}},
    {"ms", 1e6, {"ms", "millisecond"}},
    {"s", 1e9, {"s", "sec", "second"}},
    {"hrs", 3600e9, {"hour", "hr"}},
}};
constexpr std::array<Unit, 9> kGcus{{
    {"n*GCU", 1e-9, {"nanogcu"}},
    {"u*GCU", 1e-6, {"microgcu"}},
    {"m*GCU", 1e-3, {"milligcu"}},
    {"GCU", 1, {"gcu"}},
    {"k*GCU", 1e3, {"kilogcu"}},
    {"M*GCU", 1e6, {"megagcu"}},
    {"G*GCU", 1e9, {"gigagcu"}},
    {"T*GCU", 1e12, {"teragcu"}},
    {"P*GCU", 1e15, {"petagcu"}},
}};
constexpr std::array<Family, 3> kFamilies{
    {{kBytes, kBytes[0]}, {kTimes, kTimes[3]}, {kGcus, kGcus[3]}}};

const Unit* find_unit(const Family& family, std::string_view text) {
  std::string lower{text};
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  // "μs" is three bytes but two characters: its s is no plural.
  const bool is_long = lower.size() > 2 && lower != "\u03bcs";
  if (is_long && lower.ends_with('s')) lower.pop_back();
  if (lower.empty()) return nullptr;
  for (const Unit& unit : family.units) {
    if (std::ranges::find(unit.aliases, std::string_view{lower}) != unit.aliases.end()) return &unit;
  }
  return nullptr;
}

Scaled auto_scale(const Family& family, double base_value) {
  const Unit* best = &family.usual;
  bool found = false;
  for (const Unit& unit : family.units) {
    if (base_value / unit.factor >= 1 && (!found || unit.factor >= best->factor)) {
      best = &unit;
      found = true;
    }
  }
  return {base_value / best->factor, best->name};
}

}  // namespace

Scaled scale(std::int64_t value, std::string_view from, std::string_view to) {
  if (value < 0 && value != std::numeric_limits<std::int64_t>::min()) {
    const Scaled positive = scale(-value, from, to);
    return {-positive.value, positive.unit};
  }
  for (const Family& family : kFamilies) {
    const Unit* unit = find_unit(family, from);
    if (unit == nullptr) continue;
    const double base_value = static_cast<double>(value) * unit->factor;
    if (to == "auto" || to == "minimum") return auto_scale(family, base_value);
    const Unit* wanted = find_unit(family, to);
    if (wanted == nullptr) wanted = &family.usual;
    return {base_value / wanted->factor, wanted->name};
  }
  constexpr std::array<std::string_view, 5> kSilent{"count", "sample", "unit", "minimum", "auto"};
  const bool is_silent = std::ranges::find(kSilent, to) != kSilent.end();
  return {static_cast<double>(value), is_silent ? std::string_view{} : to};
}

std::string scaled_label(std::int64_t value, std::string_view from, std::string_view to) {
  const Scaled scaled = scale(value, from, to);
  std::string text = fmt::format("{:.2f}", scaled.value);
  if (text.ends_with(".00")) text.resize(text.size() - 3);
  if (text == "0" || text == "-0") return "0";
  return text.append(scaled.unit);
}

std::string percentage(std::int64_t value, std::int64_t total) {
  const double ratio =
      total == 0 ? 0 : std::abs(static_cast<double>(value) / static_cast<double>(total)) * 100;
  if (ratio >= 99.95 && ratio <= 100.05) return "  100%";
  if (ratio >= 1) return fmt::format("{:5.2f}%", ratio);
  return fmt::format("{:5.2g}%", ratio);
}

std::string grouped_digits(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string value_text(std::int64_t value, std::string_view type, std::string_view unit) {
  const bool is_scaled = std::ranges::any_of(
      kFamilies, [&](const Family& family) { return find_unit(family, unit) != nullptr; });
  if (is_scaled) return scaled_label(value, unit);
  return fmt::format("{} {}", grouped_digits(value), unit == "count" ? type : unit);
}

std::string report_unit(std::int64_t smallest, std::int64_t largest, std::string_view unit) {
  if (smallest == 0) smallest = largest;
  const std::string_view small = scale(smallest, unit, "auto").unit;
  const std::string_view large = scale(largest, unit, "auto").unit;
  std::string_view chosen = small;
  if (small != large && static_cast<double>(smallest) * 100 < static_cast<double>(largest)) {
    chosen = scale(100 * smallest, unit, "auto").unit;
  }
  return std::string{chosen.empty() ? unit : chosen};
}

}  // namespace hprof::formats
