// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>

#include <string>
#include <vector>

namespace hprof {

/// Which samples and frames to keep. Empty strings: no filter. Names and results are those of
/// google/pprof's flags; patterns are matched against function names, file names and mapping files.
struct FilterOptions {
  std::string focus = {};      ///< only samples with a frame that matches
  std::string ignore = {};     ///< no samples with a frame that matches
  std::string hide = {};       ///< drop frames that match
  std::string show = {};       ///< drop frames that do not match
  std::string show_from = {};  ///< drop callers above the highest frame that matches
  std::string tag_focus = {};  ///< only samples with such a label: REGEX, KEY=REGEX[,REGEX], [KEY=]RANGE
  std::string tag_ignore = {};
  std::string tag_show = {};   ///< keep only labels whose key matches
  std::string tag_hide = {};   ///< drop labels whose key matches
  std::string prune_from = {};             ///< drop what lies below the lowest frame that matches
  std::vector<std::string> tag_root = {};  ///< label keys whose values become frames at the root
  std::vector<std::string> tag_leaf = {};  ///< … at the leaf
  bool prune = false;                 ///< apply the profile's own drop_frames and keep_frames

  [[nodiscard]] bool any() const;
};

/// Applies all filters in the order of google/pprof: drop_frames, pseudo frames, frame filters,
/// show_from, tag filters, prune_from. `notes`, if not null, hears of patterns that match nothing.
/// Errors: usage for a bad pattern; malformed_input for a bad drop_frames of the profile.
Result<void> filter_profile(Profile& profile, const FilterOptions& options,
                            std::vector<std::string>* notes);

}  // namespace hprof
