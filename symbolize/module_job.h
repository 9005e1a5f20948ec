// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/file_names.h"
#include "symbolize/frame.h"

#include <hprof/core/capture/raw_profile.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace hprof::symbolize {

/// The locations of a profile that lie in one module, and the names found for them.
struct ModuleJob {
  struct Place {
    LocationId location = 0;
    std::uint64_t offset = 0;  ///< in the module's file; for jit and kernel: the address itself
    std::uint32_t index = kNoIndex;  ///< into `addresses` and `frames`
  };
  static constexpr std::uint32_t kNoIndex = 0xffffffff;

  ModulePtr module;
  std::string build_id;
  std::vector<Place> places;
  std::vector<std::uint64_t> addresses;  ///< distinct virtual addresses, sorted
  std::vector<Frames> frames;            ///< parallel to `addresses`
  std::vector<std::uint32_t> wanted;     ///< indexes of `addresses` that the cache did not know
  std::string poverty;                   ///< why some have no name; may be empty

  /// Fills `addresses`, `frames` and the indexes of the places by `to_address`.
  template <typename ToAddress>
  void settle_addresses(ToAddress&& to_address);
};

/// One job for each module with locations without lines. Modules of one build-id share a job.
/// Fills in the build-ids of mappings where the image tells them.
std::vector<ModuleJob> make_jobs(RawProfile& raw);

template <typename ToAddress>
void ModuleJob::settle_addresses(ToAddress&& to_address) {
  std::vector<std::optional<std::uint64_t>> found;
  found.reserve(places.size());
  for (const Place& place : places) {
    found.push_back(to_address(place.offset));
    if (found.back()) addresses.push_back(*found.back());
  }
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!found[i]) continue;
    const auto at = std::ranges::lower_bound(addresses, *found[i]);
    places[i].index = static_cast<std::uint32_t>(at - addresses.begin());
  }
  frames.resize(addresses.size());
}

}  // namespace hprof::symbolize
