// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perf_attr.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hprof::formats::perf {

/// What the feature sections of a perf.data file tell.
struct Features {
  std::string hostname;
  std::string os_release;
  std::string version;
  std::string arch;
  std::string cmdline;
  std::map<std::string, std::string> build_ids;  ///< file name -> lower-case hex
  std::map<std::uint64_t, std::string> event_names;  ///< event id -> name
  std::vector<std::string> event_order;              ///< names in the order of the attrs
  struct Clock {
    std::uint64_t wall_ns = 0;   ///< ns since 1970 …
    std::uint64_t perf_ns = 0;   ///< … at this time of perf's clock
  };
  std::optional<Clock> clock;
};

/// Reads one feature section; what cannot be read is left out, features are no reason to fail.
void parse_feature(unsigned feature, Bytes section, std::endian order, Features& out);

/// Reads a build id record: {misc and size were in its header}, pid, id, file name.
void parse_build_id(Bytes body, std::uint16_t misc, std::endian order, Features& out);

std::string hex_of(Bytes bytes);

}  // namespace hprof::formats::perf
