// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "id_set.h"
#include "proto_in.h"

#include <hprof/core/base/result.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hprof::formats {

/// Finds out whether bytes are a valid profile.proto without keeping them: all that the decoder
/// refuses is refused here, in one pass over pieces of any size.
class PprofChecker {
 public:
  /// Errors: malformed_input with the offset or row.
  Result<void> feed(Bytes piece);
  /// What can be told at the end only. Returns the number of samples.
  Result<std::uint64_t> finish();

 private:
  Result<std::size_t> walk(Bytes bytes, bool more_may_come);
  Result<void> field(const ProtoField& field);
  Result<void> number(const ProtoField& field);
  Result<void> comments(const ProtoField& field);
  Result<void> texts(Bytes message, std::uint32_t text_fields, std::uint32_t last_field);
  Result<void> sample(Bytes message);
  bool sample_numbers(const ProtoField& field, std::uint64_t& values);
  Result<void> table_row(Bytes message, IdSet& ids, const char* name, std::uint32_t text_fields,
                         std::uint32_t last_field);
  Result<void> location(Bytes message);
  Result<void> line(Bytes message);
  void see_text(std::uint64_t index) { last_text_ = std::max(last_text_, index); }

  std::vector<std::byte> held_;  // the part of a field whose rest has not come yet
  std::uint64_t offset_ = 0;     // of held_ in the whole
  std::uint64_t types_ = 0;
  std::uint64_t texts_ = 0;
  std::uint64_t last_text_ = 0;
  std::uint64_t samples_ = 0;
  std::uint64_t values_ = 0;  // of the first sample
  std::int64_t time_nanos_ = 0;
  bool types_ended_ = false;
  bool uses_texts_ = false;
  IdSet used_locations_;
  IdSet used_functions_;
  IdSet locations_;
  IdSet functions_;
  IdSet mappings_;
};

}  // namespace hprof::formats
