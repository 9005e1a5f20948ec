// SPDX-License-Identifier: Apache-2.0
#include "tag_frames.h"

#include <hprof/core/profile/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hprof {
namespace {

std::string values_of(const Profile& profile, LabelSetId set, std::string_view key) {
  std::vector<std::string> values;
  bool has_unit = false;
  for (const Label& label : profile.labels(set)) {
    if (profile.string(label.key) != key) continue;
    has_unit |= label.is_number && label.unit != 0;
    if (!label.is_number) values.emplace_back(profile.string(label.text));
  }
  for (const Label& label : profile.labels(set)) {
    if (!label.is_number || profile.string(label.key) != key) continue;
    values.push_back(has_unit
                         ? scaled_label(label.number, profile.string(label.unit), "minimum")
                         : scaled_label(label.number, {}, {}));
  }
  return fmt::format("{}", fmt::join(values, ","));
}

// The frames of one label set for some keys, from the outermost inwards.
std::vector<LocationId> frames_of(Profile& profile, LabelSetId set,
                                  std::span<const std::string> keys, std::vector<bool>& matched) {
  std::vector<LocationId> frames;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string values = values_of(profile, set, keys[i]);
    if (!values.empty()) matched[i] = true;
    const FunctionId function = profile.intern_function(
        {.name = profile.intern(values), .filename = profile.intern(keys[i])});
    const std::array<Line, 1> lines = {Line{.function = function}};
    frames.push_back(profile.intern_location(0, 0, lines));
  }
  return frames;
}

void remark(std::span<const std::string> keys, const std::vector<bool>& matched,
            std::string_view flag, std::vector<std::string>* notes) {
  if (notes == nullptr) return;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!matched[i]) notes->push_back(fmt::format("{}: no sample has the label {}", flag, keys[i]));
  }
}

}  // namespace

void add_tag_frames(Profile& profile, std::span<const std::string> root_keys,
                    std::span<const std::string> leaf_keys, std::vector<std::string>* notes) {
  if (root_keys.empty() && leaf_keys.empty()) return;
  const std::uint32_t sets = profile.label_set_count();
  std::vector<bool> root_matched(root_keys.size(), false);
  std::vector<bool> leaf_matched(leaf_keys.size(), false);
  std::vector<StackId> roots(sets + std::size_t{1}, 0);
  std::vector<std::vector<LocationId>> leaves(sets + std::size_t{1});
  std::vector<bool> used(sets + std::size_t{1}, false);
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    used[profile.sample_labels(row)] = true;
  }
  for (LabelSetId set = 0; set <= sets; ++set) {
    if (!used[set]) continue;
    for (const LocationId id : frames_of(profile, set, root_keys, root_matched)) {
      roots[set] = profile.intern_stack(roots[set], id);
    }
    leaves[set] = frames_of(profile, set, leaf_keys, leaf_matched);
  }
  std::vector<Profile::Row> rows;
  std::vector<LocationId> path;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const LabelSetId set = profile.sample_labels(row);
    profile.stack_leaf_first(profile.sample_stack(row), path);
    StackId stack = roots[set];
    for (std::size_t i = path.size(); i > 0; --i) stack = profile.intern_stack(stack, path[i - 1]);
    for (const LocationId id : leaves[set]) stack = profile.intern_stack(stack, id);
    rows.push_back({row, stack, set});
  }
  profile.select_rows(rows);
  remark(root_keys, root_matched, "--tag-root", notes);
  remark(leaf_keys, leaf_matched, "--tag-leaf", notes);
}

}  // namespace hprof
