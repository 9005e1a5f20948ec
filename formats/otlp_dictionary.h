// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>
#include <hprof/core/profile/profile.h>

#include <span>
#include <vector>

namespace hprof::formats {

/// The tables that all profiles of an OTLP message share, as rows of a profile.
/// Lifetime: borrows the message's bytes.
class OtlpDictionary {
 public:
  /// Errors: malformed_input for a broken table or an index outside one.
  static Result<OtlpDictionary> read(Bytes message, Profile& profile);

  [[nodiscard]] Result<StringId> text(std::uint64_t index) const;
  [[nodiscard]] Result<StackId> stack(std::uint64_t index) const;
  /// Appends the attribute as a label.
  Result<void> attribute(std::uint64_t index, std::vector<Label>& labels) const;

 private:
  Result<void> add_strings(Profile& profile);
  Result<void> add_attributes(Profile& profile);
  Result<void> add_mappings(Profile& profile);
  Result<void> add_functions(Profile& profile);
  Result<void> add_locations(Profile& profile);
  Result<void> add_stacks(Profile& profile);
  Result<Label> read_attribute(Bytes message, Profile& profile) const;

  std::vector<Bytes> raw_[8];  // by field number
  std::vector<StringId> texts_;
  std::vector<Label> attributes_;
  std::vector<MappingId> mappings_;
  std::vector<FunctionId> functions_;
  std::vector<LocationId> locations_;
  std::vector<StackId> stacks_;
};

/// An AnyValue as the value of `label`: text, or a number for whole ones.
void set_any_value(Bytes message, Label& label, Profile& profile);

}  // namespace hprof::formats
