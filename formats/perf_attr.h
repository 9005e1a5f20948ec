// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof::formats::perf {

/// What decides how the records of one event are laid out.
struct Attr {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  std::uint64_t period = 0;  ///< or frequency
  std::uint64_t sample_type = 0;
  std::uint64_t read_format = 0;
  std::uint64_t branch_type = 0;
  std::uint64_t regs_user = 0;
  bool freq = false;
  bool sample_id_all = false;
  std::vector<std::uint64_t> ids;
  std::string name;  ///< as the file tells it, else empty

  /// The file's name, or one made of type and config as perf would.
  [[nodiscard]] std::string display_name() const;
};

/// Reads a perf_event_attr of any version from the front of `bytes`. nullopt if it is cut.
std::optional<Attr> parse_attr(Bytes bytes, std::endian order);

/// The size a perf_event_attr states of itself, 0 if it is cut.
std::size_t attr_size(Bytes bytes, std::endian order);

}  // namespace hprof::formats::perf
