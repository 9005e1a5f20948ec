// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>

#include <string>
#include <vector>

namespace hprof {

/// Adds profiles up, one at a time, so that only the sum and one of them are in memory.
/// Sample types: those by name that all have, in the order of the first; units become the finest of
/// their family. Rows are equal by locations and labels (in any order); rows of zeros only are
/// dropped. Mappings are equal by size (in 4 KiB), file offset and build id, else file name;
/// addresses move with them. Header: earliest start, summed duration, greatest period, comments
/// without repeats, else the first's. Source: google/pprof, profile/merge.go.
class ProfileMerger {
 public:
  /// Errors: usage if sample types or period types have nothing in common, naming both.
  Result<void> add(const Profile& profile);
  /// The sum. Errors: nothing_recorded if nothing was added.
  Result<Profile> finish();
  /// Sums that left 64 bits (they wrap), and sample types left out. One line each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  void take_header(const Profile& profile);
  Result<void> agree_on_types(const Profile& profile, std::vector<std::size_t>& columns,
                              std::vector<double>& ratios);

  Profile sum_;
  bool started_ = false;
  std::uint64_t overflows_ = 0;
  std::vector<std::string> notes_;
};

/// The sum of all; see ProfileMerger.
Result<Profile> merge_profiles(std::span<const Profile* const> profiles);

/// A copy without what no sample uses, equal rows added up and rows of zeros dropped; the first
/// mapping, the main binary, stays.
Profile compact(const Profile& profile);

/// Multiplies each column by its ratio, rounding half away from zero; drops rows that become zero.
void scale_columns(Profile& profile, std::span<const double> ratios);

}  // namespace hprof
