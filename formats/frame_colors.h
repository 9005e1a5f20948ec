// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frame_names.h"

#include <cstdint>
#include <vector>

namespace hprof::formats {

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// A colour for each name, the same in every picture: the hue by module, the shade by name.
/// The kernel is orange and unnamed frames are grey.
std::vector<Rgb> color_by_module(const Profile& profile, const FrameNames& names);

/// The colour of a change: red for more, blue for less, white for none. `share` in [-1, 1].
Rgb difference_color(double share);

}  // namespace hprof::formats
