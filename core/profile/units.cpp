// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/units.h>

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>

namespace hprof {
namespace {

struct Unit {
  std::string_view name;  // as shown
  double factor;          // in the family's base
  std::array<std::string_view, 3> aliases;
};

constexpr Unit kBytes[] = {
    {"B", 1, {"b", "byte"}},
    {"kB", 1024.0, {"kb", "kbyte", "kilobyte"}},
    {"MB", 1024.0 * 1024, {"mb", "mbyte", "megabyte"}},
    {"GB", 1024.0 * 1024 * 1024, {"gb", "gbyte", "gigabyte"}},
    {"TB", 1024.0 * 1024 * 1024 * 1024, {"tb", "tbyte", "terabyte"}},
    {"PB", 1024.0 * 1024 * 1024 * 1024 * 1024, {"pb", "pbyte", "petabyte"}},
};
constexpr Unit kTimes[] = {
    {"ns", 1, {"ns", "nanosecond"}},
    {"us", 1e3, {"\xce\xbcs", "us", "microsecond"}},
    {"ms", 1e6, {"ms", "millisecond"}},
    {"s", 1e9, {"s", "sec", "second"}},
    {"hrs", 3600e9, {"hour", "hr"}},
};
constexpr Unit kGcus[] = {
    {"n*GCU", 1e-9, {"nanogcu"}}, {"u*GCU", 1e-6, {"microgcu"}}, {"m*GCU", 1e-3, {"milligcu"}},
    {"GCU", 1, {"gcu"}},          {"k*GCU", 1e3, {"kilogcu"}},   {"M*GCU", 1e6, {"megagcu"}},
    {"G*GCU", 1e9, {"gigagcu"}},  {"T*GCU", 1e12, {"teragcu"}},  {"P*GCU", 1e15, {"petagcu"}},
};

struct Family {
  std::span<const Unit> units;
  Unit fallback;  // for a target that is not of the family
};

constexpr std::array<Family, 3> kFamilies = {
    Family{kBytes, kBytes[0]}, Family{kTimes, kTimes[3]}, Family{kGcus, kGcus[3]}};

std::string normalized(std::string_view unit) {
  std::string out;
  for (const char c : unit) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (out.size() > 2 && out.back() == 's') out.pop_back();
  return out;
}

const Unit* find_unit(const Family& family, std::string_view unit) {
  const std::string wanted = normalized(unit);
  if (wanted.empty()) return nullptr;
  for (const Unit& u : family.units) {
    for (const std::string_view alias : u.aliases) {
      if (alias == wanted) return &u;
    }
  }
  return nullptr;
}

const Unit& best_unit(const Family& family, double base_value) {
  const Unit* best = nullptr;
  for (const Unit& u : family.units) {
    if ((best == nullptr || u.factor >= best->factor) && base_value / u.factor >= 1.0) best = &u;
  }
  return best == nullptr ? family.fallback : *best;
}

std::optional<Scaled> convert(const Family& family, double value, std::string_view from,
                              std::string_view to) {
  const Unit* source = find_unit(family, from);
  if (source == nullptr) return std::nullopt;
  const double base = value * source->factor;
  const Unit* target = to == "auto" || to == "minimum" ? &best_unit(family, base < 0 ? -base : base)
                                                       : find_unit(family, to);
  if (target == nullptr) target = &family.fallback;
  return Scaled{base / target->factor, std::string{target->name}};
}

}  // namespace

Scaled scale(std::int64_t value, std::string_view from, std::string_view to) {
  for (const Family& family : kFamilies) {
    if (auto scaled = convert(family, static_cast<double>(value), from, to)) return *scaled;
  }
  const bool plain = to == "count" || to == "sample" || to == "unit" || to == "minimum" ||
                     to == "auto";
  return {static_cast<double>(value), plain ? std::string{} : std::string{to}};
}

std::string scaled_label(std::int64_t value, std::string_view from, std::string_view to) {
  const Scaled scaled = scale(value, from, to);
  std::string text = fmt::format("{:.2f}", scaled.value);
  if (text.ends_with(".00")) text.resize(text.size() - 3);
  if (text == "0" || text == "-0") return "0";
  return text + scaled.unit;
}

double unit_ratio(std::string_view from, std::string_view to) {
  for (const Family& family : kFamilies) {
    const Unit* source = find_unit(family, from);
    const Unit* target = find_unit(family, to);
    if (source != nullptr && target != nullptr) return source->factor / target->factor;
  }
  return 1;
}

bool units_convertible(std::string_view a, std::string_view b) {
  if (a == b) return true;
  for (const Family& family : kFamilies) {
    if (find_unit(family, a) != nullptr && find_unit(family, b) != nullptr) return true;
  }
  return false;
}

}  // namespace hprof
