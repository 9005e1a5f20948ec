// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/diff.h>

#include <hprof/core/profile/merge.h>

#include <algorithm>
#include <vector>

namespace hprof {
namespace {

// Takes the place of what the base has under that key, as the reference does.
void label_as_base(Profile& profile) {
  const Label mark = profile.text_label(kBaseLabel, "true");
  std::vector<LabelSetId> marked(profile.label_set_count() + std::size_t{1});
  for (LabelSetId id = 0; id < marked.size(); ++id) {
    std::vector<Label> labels{profile.labels(id).begin(), profile.labels(id).end()};
    std::erase_if(labels, [&](const Label& l) { return l.key == mark.key && !l.is_number; });
    labels.push_back(mark);
    marked[id] = profile.intern_labels(labels);
  }
  std::vector<Profile::Row> rows;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    rows.push_back({row, profile.sample_stack(row), marked[profile.sample_labels(row)]});
  }
  profile.select_rows(rows);
}

// Brings two profiles to the same sample types and units, without adding them.
Result<Profile> in_types_of(const Profile& types, const Profile& values) {
  Profile empty = types;
  empty.select_rows({});
  ProfileMerger merger;
  HPROF_TRY(merger.add(empty));
  HPROF_TRY(merger.add(values));
  return merger.finish();
}

}  // namespace

Result<Profile> diff_profiles(const Profile& profile, const Profile& base, DiffKind kind,
                              bool normalize) {
  HPROF_ASSIGN(Profile minus, in_types_of(profile, base));
  HPROF_ASSIGN(Profile plus, in_types_of(minus, profile));
  const std::size_t columns = plus.sample_types().size();
  if (normalize) {
    std::vector<double> ratios(columns);
    for (std::size_t i = 0; i < columns; ++i) {
      const auto own = static_cast<double>(plus.total(i));
      ratios[i] = own == 0 ? 0 : static_cast<double>(minus.total(i)) / own;
    }
    scale_columns(plus, ratios);
  }
  if (kind == DiffKind::compare) label_as_base(minus);
  scale_columns(minus, std::vector<double>(columns, -1));
  ProfileMerger merger;
  HPROF_TRY(merger.add(plus));
  HPROF_TRY(merger.add(minus));
  HPROF_ASSIGN(Profile difference, merger.finish());
  // Bringing the types together went through each header several times.
  difference.header.duration_nanos = profile.header.duration_nanos + base.header.duration_nanos;
  difference.counters = {.lost = profile.counters.lost + base.counters.lost,
                         .throttled = profile.counters.throttled + base.counters.throttled,
                         .truncated = profile.counters.truncated + base.counters.truncated,
                         .skipped = profile.counters.skipped + base.counters.skipped};
  return difference;
}

bool is_base_row(const Profile& profile, std::uint32_t row) {
  for (const Label& label : profile.labels(profile.sample_labels(row))) {
    if (!label.is_number && profile.string(label.key) == kBaseLabel &&
        profile.string(label.text) == "true") {
      return true;
    }
  }
  return false;
}

std::int64_t percent_total(const Profile& profile, std::size_t type) {
  std::uint64_t base = 0;
  bool compared = false;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    if (!is_base_row(profile, row)) continue;
    compared = true;
    const std::int64_t value = profile.value(type, row);
    base += value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  }
  return compared && base != 0 ? static_cast<std::int64_t>(base) : profile.total(type, true);
}

}  // namespace hprof
