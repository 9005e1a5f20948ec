// SPDX-License-Identifier: Apache-2.0
#include "losses.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::formats {
namespace {

bool has_labels(const Profile& profile) {
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    if (profile.sample_labels(row) != 0) return true;
  }
  return false;
}

bool has_addresses(const Profile& profile) {
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    const Location& location = profile.location(id);
    if (location.address != 0 || location.mapping != 0) return true;
  }
  return false;
}

bool has_lines(const Profile& profile) {
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    if (std::ranges::any_of(profile.lines(id), [](const Line& l) { return l.line != 0; })) {
      return true;
    }
  }
  return false;
}

std::string other_columns(const Profile& profile, std::size_t chosen) {
  std::string out;
  for (std::size_t i = 0; i < profile.sample_types().size(); ++i) {
    if (i != chosen) out += (out.empty() ? "" : ", ") + type_text(profile, i);
  }
  return out;
}

}  // namespace

void add_note(const WriteOptions& options, std::string text) {
  if (options.notes != nullptr) options.notes->push_back(std::move(text));
}

std::string type_text(const Profile& profile, std::size_t sample_type) {
  if (sample_type >= profile.sample_types().size()) return {};
  const ValueType& type = profile.sample_types()[sample_type];
  return fmt::format("{}/{}", profile.string(type.type), profile.string(type.unit));
}

bool has_negative(const Profile& profile, const WriteOptions& options) {
  if (options.negative) return true;
  if (options.sample_type >= profile.sample_types().size()) return false;
  return std::ranges::any_of(profile.values(options.sample_type),
                             [](std::int64_t value) { return value < 0; });
}

Result<void> refuse_negative(const Profile& profile, const WriteOptions& options,
                             std::string_view format, bool all_columns) {
  for (std::size_t i = 0; i < profile.sample_types().size(); ++i) {
    if (!all_columns && i != options.sample_type) continue;
    const auto is_negative = [](std::int64_t value) { return value < 0; };
    if (std::ranges::any_of(profile.values(i), is_negative)) {
      return Error{ErrorKind::unsupported,
                   fmt::format("{} cannot hold values below zero, {} has some", format,
                               type_text(profile, i)),
                   "write pprof, folded, svg, html or top"};
    }
  }
  return {};
}

Result<void> check_sample_type(const Profile& profile, const WriteOptions& options) {
  const std::size_t count = profile.sample_types().size();
  if (options.sample_type < count || (count == 0 && profile.sample_count() == 0)) return {};
  return Error{ErrorKind::usage, fmt::format("sample type {} of a profile that has {}",
                                             options.sample_type, count), ""};
}

void note_losses(const Profile& profile, const WriteOptions& options, std::string_view format,
                 const Carries& carries) {
  if (options.notes == nullptr) return;
  std::vector<std::string> lost;
  if (!carries.labels && has_labels(profile)) lost.emplace_back("labels");
  if (!carries.addresses && has_addresses(profile)) lost.emplace_back("addresses");
  if (!carries.lines && has_lines(profile)) lost.emplace_back("source lines");
  if (!carries.all_columns && profile.sample_types().size() > 1) {
    lost.push_back(other_columns(profile, options.sample_type));
  }
  if (lost.empty()) return;
  const std::string value =
      carries.all_columns ? "" : fmt::format(" of {}", type_text(profile, options.sample_type));
  add_note(options, fmt::format("{} output{} leaves out: {}", format, value, fmt::join(lost, ", ")));
}

}  // namespace hprof::formats
