// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

#include <string_view>

namespace hprof::formats {

/// What a format holds of a profile; what is false is reported by note_losses.
struct Carries {
  bool all_columns = false;
  bool labels = false;
  bool addresses = false;  ///< and modules
  bool lines = false;
  bool negative = false;
};

/// Says in one remark, and only where the profile has it, what `format` leaves behind.
void note_losses(const Profile& profile, const WriteOptions& options, std::string_view format,
                 const Carries& carries);

/// Whether the chosen column has a value below zero, or the profile is said to be a difference.
bool has_negative(const Profile& profile, const WriteOptions& options);

/// Errors: unsupported, naming `format`, if the profile has values below zero in the chosen column, or
/// in any with `all_columns`.
Result<void> refuse_negative(const Profile& profile, const WriteOptions& options,
                             std::string_view format, bool all_columns = false);

/// Adds a remark if anyone listens.
void add_note(const WriteOptions& options, std::string text);

/// "cpu/nanoseconds" of a column; "" where the profile has no column at all.
std::string type_text(const Profile& profile, std::size_t sample_type);

/// Errors: usage if the profile has columns and `options.sample_type` is none of them.
Result<void> check_sample_type(const Profile& profile, const WriteOptions& options);

}  // namespace hprof::formats
