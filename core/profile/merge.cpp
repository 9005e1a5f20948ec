// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/merge.h>

#include "table_copy.h"

#include <hprof/core/profile/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hprof {
namespace {

std::string type_list(const Profile& profile) {
  std::string out;
  for (const ValueType& type : profile.sample_types()) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{}/{}", profile.string(type.type), profile.string(type.unit));
  }
  return out.empty() ? "none" : out;
}

// A trailing 's' makes no difference: "sample" and "samples".
std::string_view stem(std::string_view type) {
  if (type.ends_with('s')) type.remove_suffix(1);
  return type;
}

std::optional<std::size_t> column_of(const Profile& profile, std::string_view type) {
  for (std::size_t i = 0; i < profile.sample_types().size(); ++i) {
    if (profile.string(profile.sample_types()[i].type) == type) return i;
  }
  for (std::size_t i = 0; i < profile.sample_types().size(); ++i) {
    if (stem(profile.string(profile.sample_types()[i].type)) == stem(type)) return i;
  }
  return std::nullopt;
}

std::int64_t scaled(std::int64_t value, double ratio) {
  if (ratio == 1) return value;
  if (ratio == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
  const double product = std::round(static_cast<double>(value) * ratio);
  constexpr double kLimit = 9223372036854774784.0;  // the last double below 2^63
  return static_cast<std::int64_t>(std::clamp(product, -kLimit, kLimit));
}

bool is_zero(std::span<const std::int64_t> values) {
  return std::ranges::all_of(values, [](std::int64_t v) { return v == 0; });
}

std::vector<std::int64_t> row_values(const Profile& profile, std::uint32_t row) {
  std::vector<std::int64_t> values(profile.sample_types().size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = profile.value(i, row);
  return values;
}

// The rows that are not all zeros, unchanged.
std::vector<Profile::Row> rows_with_values(const Profile& profile) {
  std::vector<Profile::Row> rows;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    if (is_zero(row_values(profile, row))) continue;
    rows.push_back({row, profile.sample_stack(row), profile.sample_labels(row)});
  }
  return rows;
}

void drop_zero_rows(Profile& profile) {
  const std::vector<Profile::Row> rows = rows_with_values(profile);
  if (rows.size() != profile.sample_count()) profile.select_rows(rows);
}

// Adds the samples of `from`, with `columns` of it scaled by `ratios`; returns sums that wrapped.
std::uint64_t add_samples(const Profile& from, Profile& into, std::span<const std::size_t> columns,
                          std::span<const double> ratios) {
  TableCopy tables{from, into};
  std::uint64_t overflows = 0;
  std::vector<std::int64_t> values(columns.size());
  for (std::uint32_t row = 0; row < from.sample_count(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      values[i] = scaled(from.value(columns[i], row), ratios[i]);
    }
    if (is_zero(values)) continue;
    const std::uint32_t before = into.sample_count();
    const std::uint32_t sum = into.accumulate(tables.stack(from.sample_stack(row)),
                                              tables.labels(from.sample_labels(row)), values);
    if (sum == before) {
      tables.copy_unknown_of_sample(row, sum);
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t after = into.value(i, sum);
      const auto old = static_cast<std::int64_t>(static_cast<std::uint64_t>(after) -
                                                 static_cast<std::uint64_t>(values[i]));
      if (((old ^ after) & (values[i] ^ after)) < 0) ++overflows;
    }
  }
  return overflows;
}

StringId copy_text(const Profile& from, StringId id, Profile& into) {
  return into.intern(from.string(id));
}

}  // namespace

void ProfileMerger::take_header(const Profile& p) {
  ProfileHeader& h = sum_.header;
  const ProfileHeader& from = p.header;
  if (!started_) {
    h.period_type = {copy_text(p, from.period_type.type, sum_),
                     copy_text(p, from.period_type.unit, sum_)};
    h.drop_frames = copy_text(p, from.drop_frames, sum_);
    h.keep_frames = copy_text(p, from.keep_frames, sum_);
    sum_.unknown.profile = p.unknown.profile;
  }
  if (from.time_nanos != 0 && (h.time_nanos == 0 || from.time_nanos < h.time_nanos)) {
    h.time_nanos = from.time_nanos;
  }
  h.duration_nanos += from.duration_nanos;
  if (h.default_sample_type == 0) {
    h.default_sample_type = copy_text(p, from.default_sample_type, sum_);
  }
  if (h.doc_url == 0) h.doc_url = copy_text(p, from.doc_url, sum_);
  for (const StringId comment : from.comments) {
    const StringId id = copy_text(p, comment, sum_);
    if (std::ranges::find(h.comments, id) == h.comments.end()) h.comments.push_back(id);
  }
  sum_.counters.lost += p.counters.lost;
  sum_.counters.throttled += p.counters.throttled;
  sum_.counters.truncated += p.counters.truncated;
  sum_.counters.skipped += p.counters.skipped;
}

namespace {

// Brings the period types together and keeps the greatest period, in the finer unit.
Result<void> merge_period(const Profile& p, Profile& sum) {
  const auto text = [](const Profile& of, StringId id) { return of.string(id); };
  const ValueType& ours = sum.header.period_type;
  const ValueType& theirs = p.header.period_type;
  const std::string_view our_unit = text(sum, ours.unit);
  const std::string_view their_unit = text(p, theirs.unit);
  // An absent type contradicts nothing.
  const bool absent = ours == ValueType{} || theirs == ValueType{};
  if (!absent && (stem(text(sum, ours.type)) != stem(text(p, theirs.type)) ||
                  !units_convertible(our_unit, their_unit))) {
    return Error{ErrorKind::usage,
                 fmt::format("period types {}/{} and {}/{} cannot be merged", text(sum, ours.type),
                             our_unit, text(p, theirs.type), their_unit),
                 {}};
  }
  std::int64_t period = p.header.period;
  const double ratio = absent ? 1 : unit_ratio(their_unit, our_unit);
  if (ratio < 1) {
    sum.header.period = scaled(sum.header.period, unit_ratio(our_unit, their_unit));
    sum.header.period_type.unit = sum.intern(their_unit);
  } else {
    period = scaled(period, ratio);
  }
  if (ours == ValueType{}) {
    sum.header.period_type = {sum.intern(text(p, theirs.type)), sum.intern(their_unit)};
  }
  sum.header.period = std::max(sum.header.period, period);
  return {};
}

}  // namespace

// `columns` of `p` become the columns of the sum, times `ratios`. The sum loses columns that `p`
// has not, and takes over units of `p` that are finer.
Result<void> ProfileMerger::agree_on_types(const Profile& p, std::vector<std::size_t>& columns,
                                           std::vector<double>& ratios) {
  std::vector<std::size_t> kept;
  std::vector<double> own_ratios;
  for (std::size_t i = 0; i < sum_.sample_types().size(); ++i) {
    const std::string type{sum_.string(sum_.sample_types()[i].type)};
    const std::optional<std::size_t> column = column_of(p, type);
    if (!column) continue;
    const std::string our_unit{sum_.string(sum_.sample_types()[i].unit)};
    const std::string_view their_unit = p.string(p.sample_types()[*column].unit);
    if (!units_convertible(our_unit, their_unit)) {
      return Error{ErrorKind::usage,
                   fmt::format("sample type {} has the units {} and {}, which cannot be merged",
                               type, our_unit, their_unit),
                   {}};
    }
    const double ratio = unit_ratio(their_unit, our_unit);
    if (ratio < 1) {
      sum_.set_sample_type(i, {sum_.sample_types()[i].type, sum_.intern(their_unit)});
      own_ratios.push_back(unit_ratio(our_unit, their_unit));
    } else {
      own_ratios.push_back(1);
    }
    kept.push_back(i);
    columns.push_back(*column);
    ratios.push_back(std::max(ratio, 1.0));
  }
  if (kept.empty() && !(sum_.sample_types().empty() && p.sample_types().empty())) {
    return Error{ErrorKind::usage,
                 fmt::format("profiles have no sample type in common: {} against {}",
                             type_list(sum_), type_list(p)),
                 {}};
  }
  if (kept.size() != sum_.sample_types().size() || kept.size() != p.sample_types().size()) {
    const std::string all = type_list(sum_) + " against " + type_list(p);
    sum_.select_sample_types(kept);
    notes_.push_back(fmt::format("merged only the common sample types {}: {}", type_list(sum_), all));
    if (!sum_.find_sample_type(sum_.string(sum_.header.default_sample_type))) {
      sum_.header.default_sample_type = sum_.sample_types()[0].type;
    }
  }
  if (std::ranges::any_of(own_ratios, [](double r) { return r != 1; })) {
    scale_columns(sum_, own_ratios);
  }
  return {};
}

Result<void> ProfileMerger::add(const Profile& profile) {
  std::vector<std::size_t> columns;
  std::vector<double> ratios;
  if (!started_) {
    for (const ValueType& type : profile.sample_types()) {
      columns.push_back(columns.size());
      ratios.push_back(1);
      sum_.add_sample_type(profile.string(type.type), profile.string(type.unit));
    }
    take_header(profile);
    sum_.header.period = profile.header.period;
  } else {
    HPROF_TRY(agree_on_types(profile, columns, ratios));
    HPROF_TRY(merge_period(profile, sum_));
    take_header(profile);
  }
  started_ = true;
  overflows_ += add_samples(profile, sum_, columns, ratios);
  return {};
}

Result<Profile> ProfileMerger::finish() {
  if (!started_) return Error{ErrorKind::nothing_recorded, "no profiles to merge", {}};
  const std::uint32_t rows = sum_.sample_count();
  drop_zero_rows(sum_);
  // Rows that cancelled leave locations behind that no other row uses.
  if (sum_.sample_count() != rows) sum_ = compact(sum_);
  if (overflows_ != 0) {
    notes_.push_back(fmt::format("{} sums are beyond 64 bits and wrapped around", overflows_));
  }
  return std::move(sum_);
}

Result<Profile> merge_profiles(std::span<const Profile* const> profiles) {
  ProfileMerger merger;
  for (const Profile* profile : profiles) HPROF_TRY(merger.add(*profile));
  return merger.finish();
}

Profile compact(const Profile& profile) {
  ProfileMerger merger;
  HPROF_CHECK(merger.add(profile).has_value());
  return *merger.finish();
}

void scale_columns(Profile& profile, std::span<const double> ratios) {
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    if (ratios[i] == 1) continue;
    for (std::int64_t& value : profile.mutable_values(i)) value = scaled(value, ratios[i]);
  }
  drop_zero_rows(profile);
}

}  // namespace hprof
