// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sample_rows.h"

#include <unordered_map>

namespace hprof {

/// Makes a RawProfile of the difference between rows and what a reader has taken of them.
class ProfileBuilder {
 public:
  /// `with_process`: the process becomes the root frame and pid a label.
  ProfileBuilder(const SampleRows& rows, const StoreOptions& options, bool with_process);

  void add_news(const TakenValues& taken);
  [[nodiscard]] RawProfile take() { return std::move(raw_); }

 private:
  LocationId location(std::uint32_t place);
  MappingId mapping(std::uint32_t id);
  StackId stack(std::uint32_t node, StringId process);
  LabelSetId labels(std::uint32_t who);
  LocationId named_location(std::string_view name);

  const SampleRows& rows_;
  bool with_process_;
  RawProfile raw_;
  std::unordered_map<std::uint32_t, MappingId> mappings_;
  std::unordered_map<std::uint32_t, LocationId> locations_;
  std::unordered_map<std::uint64_t, StackId> stacks_;
  std::unordered_map<std::uint32_t, LabelSetId> labels_;
};

}  // namespace hprof
