// SPDX-License-Identifier: Apache-2.0
#include "frame_colors.h"

#include <algorithm>
#include <cmath>

namespace hprof::formats {
namespace {

struct Hsl {
  double hue;         ///< degrees
  double saturation;  ///< 0..1
  double lightness;   ///< 0..1
};

Rgb to_rgb(const Hsl& c) {
  const double reach = c.saturation * std::min(c.lightness, 1 - c.lightness);
  const auto channel = [&](double n) {
    const double k = std::fmod(n + c.hue / 30, 12);
    const double level = c.lightness - reach * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    return static_cast<std::uint8_t>(std::lround(level * 255));
  };
  return {channel(0), channel(8), channel(4)};
}

double fraction(std::uint64_t hash) { return static_cast<double>(hash % 1024) / 1024; }

bool is_kernel(std::string_view module) {
  return module.starts_with("[kernel") || module == "vmlinux" || module.ends_with(".ko");
}

Hsl base_color(std::string_view module, std::string_view name) {
  if (is_kernel(module)) return {28, 0.80, 0.60};
  if (name.starts_with("[unknown") || name.starts_with("[truncated")) return {0, 0, 0.72};
  // Without a module, a warm colour by name, as flame graphs have always had.
  if (module.empty()) return {50 * fraction(hash_text(name)), 0.75, 0.62};
  return {360 * fraction(mix_hash(hash_text(module))), 0.55, 0.66};
}

}  // namespace

std::vector<Rgb> color_by_module(const Profile& profile, const FrameNames& names) {
  std::vector<Rgb> colors;
  colors.reserve(names.size());
  for (NameId id = 0; id < names.size(); ++id) {
    const std::string_view name = names.name(id);
    Hsl color = base_color(module_of(profile, names, id), name);
    color.lightness += 0.12 * fraction(hash_text(name) >> 10) - 0.04;
    colors.push_back(to_rgb(color));
  }
  return colors;
}

Rgb difference_color(double share) {
  const double amount = std::sqrt(std::min(1.0, std::abs(share)));
  const auto faded = static_cast<std::uint8_t>(std::lround(238 - 150 * amount));
  if (share > 0) return {250, faded, faded};
  if (share < 0) return {faded, faded, 250};
  return {238, 238, 238};
}

}  // namespace hprof::formats
