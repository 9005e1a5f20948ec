// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hprof::formats {

/// Dense number of a distinct shown name. Equal names have one id, whatever function they come from.
using NameId = std::uint32_t;

/// The names that the locations of a profile show, one for each inlined frame.
/// Lifetime: borrows the profile, whose tables must not change meanwhile.
class FrameNames {
 public:
  FrameNames(const Profile& profile, bool short_names);
  FrameNames(const FrameNames&) = delete;
  FrameNames& operator=(const FrameNames&) = delete;

  /// The frames of a location, outermost first: the reverse of Profile::lines().
  [[nodiscard]] std::span<const NameId> frames(LocationId id) const {
    return {frames_.data() + first_[id], first_[id + 1] - first_[id]};
  }
  [[nodiscard]] std::string_view name(NameId id) const { return names_[id]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  /// A location that shows this name, for its module and file.
  [[nodiscard]] LocationId sample_location(NameId id) const { return location_of_[id]; }
  /// The function behind a name; 0 for an unsymbolized frame.
  [[nodiscard]] FunctionId sample_function(NameId id) const { return function_of_[id]; }

 private:
  NameId intern(std::string_view text, LocationId location, FunctionId function);
  NameId name_of(const Profile& profile, LocationId location, std::size_t line, bool short_names);

  std::vector<std::size_t> first_;
  std::vector<NameId> frames_;
  std::vector<std::string_view> names_;
  std::vector<LocationId> location_of_;
  std::vector<FunctionId> function_of_;
  std::vector<NameId> by_string_;  ///< by StringId of a function's name, plus one
  StringTable computed_;           ///< names that the profile's string table does not hold
  std::unordered_map<std::string_view, NameId> by_text_;  ///< computed ones and their equals
};

/// The name without its parameter lists: "ns::f<int>(char const*) const" becomes "ns::f<int> const".
/// "(anonymous namespace)", "operator()" and Go's "(*T)" are no parameter lists.
std::string short_name(std::string_view name);

/// The module that a name's frames come from: the base name of its mapping, else what its text
/// tells (the "[kernel]" of "[kernel+0x1]", a namespace, package or path), else "".
std::string_view module_of(const Profile& profile, const FrameNames& names, NameId id);

}  // namespace hprof::formats
