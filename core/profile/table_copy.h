// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <map>
#include <tuple>
#include <vector>

namespace hprof {

/// Copies what samples of one profile need into another, each thing once. Equal things become one:
/// mappings by size, offset and build id or file; addresses are rebased to the mapping that is kept.
/// Labels are put in order. Lifetime: borrows both.
class TableCopy {
 public:
  /// The first mapping of the first profile that has one is copied at once: it is the main binary.
  TableCopy(const Profile& from, Profile& into);

  StackId stack(StackId id);
  LabelSetId labels(LabelSetId id);
  void copy_unknown_of_sample(std::uint32_t from_row, std::uint32_t into_row);

 private:
  // size in 4 KiB, file offset, build id or file name
  using MappingKey = std::tuple<std::uint64_t, std::uint64_t, std::string_view>;

  static constexpr std::uint32_t kUnset = 0xffffffff;

  static MappingKey mapping_key(const Profile& profile, const Mapping& mapping);
  StringId text(StringId id);
  MappingId mapping(MappingId id);
  FunctionId function(FunctionId id);
  LocationId location(LocationId id);

  const Profile& from_;
  Profile& into_;
  std::map<MappingKey, MappingId> known_mappings_;
  std::vector<StringId> texts_;
  std::vector<MappingId> mappings_;
  std::vector<FunctionId> functions_;
  std::vector<LocationId> locations_;
  std::vector<StackId> stacks_;
  std::vector<LabelSetId> label_sets_;
  std::vector<StackId> path_;
};

}  // namespace hprof
